import { useMemo } from 'preact/hooks';
import type { AppModel } from '../../lib/state/app-model.ts';
import { fieldsOf } from '../../lib/state/connect-options.ts';
import { forcedTransport } from '../../lib/state/connect-form.ts';
import { LEGACY_REVISIONS } from '../../lib/protocol/revisions.ts';
import { AnswerGroup } from './AnswerGroup.tsx';
import { AuthGroup } from './AuthGroup.tsx';
import { HeaderEditor } from './HeaderEditor.tsx';
import { OptionCheck } from './OptionCheck.tsx';
import { OptionField } from './OptionField.tsx';
import { OptionSelect } from './OptionSelect.tsx';
import { OriginGroup } from './OriginGroup.tsx';
import { RecentServers } from './RecentServers.tsx';
import './ConnectOptions.css';

const TRANSPORTS = [
  ['auto', 'Automatic'],
  ['modern', 'Streamable HTTP, 2026-07-28'],
  ['streamable-http', 'Streamable HTTP, legacy'],
  ['http-sse', 'HTTP+SSE'],
  ['websocket', 'WebSocket'],
] as const;
const REVISIONS = LEGACY_REVISIONS.map((revision) => [revision, revision] as const);

/** Everything about a connection that has a good default. */
export function ConnectOptions({ model }: { model: AppModel }) {
  const { form, recentServers } = model;
  const { notice } = model.options;
  const known = model.options.fields.value;
  const options = useMemo(() => fieldsOf(model.options, form.url), [model, known]);
  const { reconnection, session } = options;
  const faults = options.faults.value;
  const forced = forcedTransport(form.url.value);
  const transport = forced ?? options.transport.value;
  return (
    <section class="connect-options" aria-label="Options for the next connection">
      <p class="connect-notice warning" role="alert" hidden={notice.value === undefined}>
        {notice.value}
      </p>
      <HeaderEditor form={form} />
      <div class="options-columns">
        <fieldset>
          <legend>Link</legend>
          <OptionSelect
            label="Transport"
            value={transport}
            choices={TRANSPORTS}
            isDisabled={forced !== undefined}
            fault={faults.transport}
            note={forced === undefined ? undefined : 'The scheme of the URL decides.'}
            onChange={(chosen) => (options.transport.value = chosen)}
          />
          <OptionSelect
            label="Revision to offer"
            value={options.offerRevision.value}
            choices={REVISIONS}
            isDisabled={transport === 'modern'}
            note={transport === 'modern' ? 'Revision 2026-07-28 has no handshake.' : undefined}
            onChange={(revision) => (options.offerRevision.value = revision)}
          />
          <OptionField
            id="option-size-limit"
            label="Size limit of one message, MiB"
            value={options.limitMib}
            fault={faults.limit}
            isNumber
          />
          <OptionField
            label="Idle timeout, seconds"
            value={options.idleSeconds}
            fault={faults.idle}
            isNumber
          />
          <OptionCheck label="Open the GET stream" value={options.openStream} />
        </fieldset>
        <fieldset>
          <legend>Reconnection</legend>
          <OptionField
            label="First delay, seconds"
            value={reconnection.initialSeconds}
            fault={faults.initialDelay}
            isNumber
          />
          <OptionField
            label="Longest delay, seconds"
            value={reconnection.maxSeconds}
            fault={faults.maxDelay}
            isNumber
          />
          <OptionField label="Factor" value={reconnection.factor} fault={faults.factor} isNumber />
          <OptionField
            label="Retries, 0 for none"
            value={reconnection.retries}
            fault={faults.retries}
            isNumber
          />
        </fieldset>
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
        <AuthGroup auth={options.auth} background={model.credentials.background} />
        <OriginGroup options={options} />
        <AnswerGroup answers={options.answers} />
        <RecentServers servers={recentServers} onUse={(server) => form.use(server)} />
      </div>
    </section>
  );
}
