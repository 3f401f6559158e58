import { useEffect, useMemo } from 'preact/hooks';
import type { AppModel } from '../../lib/state/app-model.ts';
import { createCredentialModel } from '../../lib/state/auth/credential-model.ts';
import { ProblemNotice } from '../ProblemNotice.tsx';
import { Screen } from '../ui/Screen.tsx';
import { ClientTable } from './ClientTable.tsx';
import { CredentialCard } from './CredentialCard.tsx';
import './CredentialScreen.css';

/** The tokens that are held, and what can be done with them; over the traffic. */
export function CredentialScreen({ model }: { model: AppModel }) {
  const { isOpen, background } = model.credentials;
  const held = useMemo(() => createCredentialModel(background), [background]);
  useEffect(() => {
    void held.refresh();
    // Whatever changes a token is in the log.
    return model.watch((items) => {
      for (const { kind } of items)
        if (kind === 'auth' || kind === 'lifecycle') return void held.refresh();
    });
  }, [held, model]);
  const credentials = held.credentials.value;

  return (
    <Screen id="credentials" title="Credentials" isOpen={isOpen}>
      <div class="screen-body">
        {held.problem.value && <ProblemNotice problem={held.problem.value} isAlert />}
        <p role="status" class="credentials-said">
          {held.said.value}
        </p>
        {credentials?.length === 0 && (
          <p class="dim">
            No token is held. A server that answers 401 is asked for one by itself, unless the
            options of the connection say otherwise.
          </p>
        )}
        {credentials?.map((credential) => (
          <CredentialCard
            key={credential.serverUrl}
            credential={credential}
            held={held}
            clock={model.clock}
          />
        ))}
        <ClientTable held={held} />
      </div>
    </Screen>
  );
}
