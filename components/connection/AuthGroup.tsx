import type { AppModel } from '../../lib/state/app-model.ts';
import { KEY_ALGORITHMS, type AuthOptions } from '../../lib/state/auth/auth-options.ts';
import { ClientDocument } from './ClientDocument.tsx';
import { OptionArea } from './OptionArea.tsx';
import { OptionCheck } from './OptionCheck.tsx';
import { OptionField } from './OptionField.tsx';
import { OptionSelect } from './OptionSelect.tsx';
import { RedirectUris } from './RedirectUris.tsx';

const WAYS = [
  ['authorization-code', 'Log in when asked'],
  ['client-credentials', 'Client credentials'],
  ['enterprise-managed', 'Enterprise-managed'],
  ['workload-identity', 'Workload identity'],
  ['off', 'Off'],
] as const;
const REDIRECTS = [
  ['identity', 'The browser’s own'],
  ['loopback', 'Loopback, in a tab'],
] as const;
const TYPES = [
  ['auto', 'By the redirect URI'],
  ['web', 'A web client'],
  ['native', 'A native client'],
] as const;
const ALGORITHMS = KEY_ALGORITHMS.map((name) => [name, name] as const);

interface AuthGroupProps {
  auth: AuthOptions;
  background: AppModel['credentials']['background'];
}

/** How the next connection gets its tokens. */
export function AuthGroup({ auth, background }: AuthGroupProps) {
  const way = auth.way.value;
  const faults = auth.faults.value;
  const isCode = way === 'authorization-code';
  return (
    <fieldset class="auth-group">
      <legend>Authorization</legend>
      <OptionSelect
        label="Token"
        value={way}
        choices={WAYS}
        note={way === 'off' ? 'Nothing is asked for; headers are sent as they are.' : undefined}
        onChange={(chosen) => (auth.way.value = chosen)}
      />
      {way !== 'off' && (
        <>
          <OptionField
            label="Client id"
            value={auth.clientId}
            fault={faults.clientId}
            placeholder={isCode ? 'registered by itself' : ''}
          />
          <OptionField
            label="Client secret"
            value={auth.clientSecret}
            fault={faults.clientSecret}
            isSecret
          />
          <OptionField
            label="Issuer"
            value={auth.issuer}
            fault={faults.issuer}
            placeholder="https://as.example.com"
          />
          {way === 'client-credentials' && (
            <>
              <OptionArea label="Private key" value={auth.privateKey} fault={faults.privateKey} />
              <OptionSelect
                label="Algorithm"
                value={auth.algorithm.value}
                choices={ALGORITHMS}
                onChange={(chosen) => (auth.algorithm.value = chosen)}
              />
            </>
          )}
          {way === 'enterprise-managed' && <ProviderFields auth={auth} />}
          {way === 'workload-identity' && (
            <OptionField
              label="Workload JWT"
              value={auth.workloadToken}
              fault={faults.workloadToken}
              isSecret
            />
          )}
          <OptionField
            label="Scopes"
            value={auth.scope}
            fault={faults.scope}
            placeholder="as the server says"
          />
          {isCode && (
            <>
              <OptionField
                label="Metadata URL"
                value={auth.metadataUrl}
                fault={faults.metadataUrl}
                placeholder="https://…/client.json"
              />
              <ClientDocument auth={auth} background={background} />
              <OptionSelect
                label="Register as"
                value={auth.applicationType.value}
                choices={TYPES}
                onChange={(chosen) => (auth.applicationType.value = chosen)}
              />
              <OptionSelect
                label="Redirect"
                value={auth.redirect.value}
                choices={REDIRECTS}
                onChange={(chosen) => (auth.redirect.value = chosen)}
              />
              <RedirectUris background={background} used={auth.redirect.value} />
            </>
          )}
          <OptionCheck label="Keep tokens on disk" value={auth.keepOnDisk} />
          {auth.keepOnDisk.value && (
            <p class="warning">They are then readable in the profile folder of the browser.</p>
          )}
        </>
      )}
    </fieldset>
  );
}

function ProviderFields({ auth }: { auth: AuthOptions }) {
  const faults = auth.faults.value;
  return (
    <>
      <OptionField
        label="Provider issuer"
        value={auth.providerIssuer}
        fault={faults.providerIssuer}
        placeholder="https://idp.example.com"
      />
      <OptionField
        label="Provider endpoint"
        value={auth.providerEndpoint}
        fault={faults.providerEndpoint}
        placeholder="https://idp.example.com/token"
      />
      <OptionField
        label="Provider client id"
        value={auth.providerClientId}
        fault={faults.providerClientId}
      />
      <OptionField
        label="Provider secret"
        value={auth.providerSecret}
        fault={faults.providerSecret}
        isSecret
      />
      <OptionField label="ID token" value={auth.idToken} fault={faults.idToken} isSecret />
    </>
  );
}
