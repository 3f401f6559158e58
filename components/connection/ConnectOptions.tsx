import { useMemo } from 'preact/hooks';
import type { AppModel } from '../../lib/state/app-model.ts';
import { fieldsOf } from '../../lib/state/connect/connect-options.ts';
import { LEGACY_REVISIONS } from '../../lib/protocol/revisions.ts';
import { notKeptWords } from '../../lib/state/connect/incomplete-words.ts';
import { AnswerGroup } from './AnswerGroup.tsx';
import { AuthGroup } from './AuthGroup.tsx';
import { ClientGroup } from './ClientGroup.tsx';
import { CookieGroup } from './CookieGroup.tsx';
import { HeaderEditor } from './HeaderEditor.tsx';
import { LinkGroup } from './LinkGroup.tsx';
import { OptionCheck } from './OptionCheck.tsx';
import { OptionField } from './OptionField.tsx';
import { OptionSelect } from './OptionSelect.tsx';
import { OriginGroup } from './OriginGroup.tsx';
import { RecentServers } from './RecentServers.tsx';
import { ReconnectionGroup } from './ReconnectionGroup.tsx';
import './ConnectOptions.css';

const REVISIONS = LEGACY_REVISIONS.map((revision) => [revision, revision] as const);

/** Everything about a connection that has a good default. */
export function ConnectOptions({ model }: { model: AppModel }) {
  const { form, recentServers } = model;
  const asked = form.asked.value;
  const known = model.options.fields.value;
  const options = useMemo(() => fieldsOf(model.options, form.url), [model, known]);
  const { session } = options;
  const faults = options.faults.value;
  return (
    <section class="connect-options" aria-label="Options for the next connection">
      <p class="connect-notice warning" role="alert" hidden={asked.length === 0}>
        {asked.length > 0 && notKeptWords(asked)}
      </p>
      <HeaderEditor form={form} />
      <div class="options-columns">
        <LinkGroup options={options} url={form.url.value} limitId="option-size-limit" />
        <ReconnectionGroup options={options} />
        <fieldset>
          <legend>Existing session</legend>
          <OptionField
            label="Session id"
            value={session.id}
            fault={faults.session}
            placeholder="a new one"
          />
          <OptionSelect
            label="Revision of the session"
            value={session.revision.value}
            choices={REVISIONS}
            onChange={(revision) => (session.revision.value = revision)}
          />
          <OptionCheck
            label="Start a new session when the server forgets it"
            value={options.renewSession}
          />
        </fieldset>
        <ClientGroup options={options} />
        <AuthGroup auth={options.auth} background={model.credentials.background} />
        <OriginGroup options={options} />
        <CookieGroup cookies={options.cookies} />
        <AnswerGroup answers={options.answers} />
        <RecentServers servers={recentServers} onUse={(server) => form.use(server)} />
      </div>
    </section>
  );
}
