import type { SocketRecord } from '../../lib/capture/correlate/items.ts';
import { toSocketFacts } from '../../lib/state/detail/socket-facts.ts';
import type { Secrets } from '../../lib/state/detail/secrets.ts';
import { SecretText } from './SecretText.tsx';
import './HeadersTab.css';

interface SocketSectionProps {
  record: SocketRecord;
  secrets: Secrets;
}

/** What a WebSocket was asked for, how it opened and how it ended. */
export function SocketSection({ record, secrets }: SocketSectionProps) {
  const { url } = record.opening;
  return (
    <section class="detail-section" aria-labelledby="socket-general">
      <div class="detail-head">
        <h2 id="socket-general">WebSocket</h2>
      </div>
      <dl class="header-list">
        <dt>URL</dt>
        <dd>
          <SecretText text={url.text} cuts={url.cuts} secrets={secrets} />
        </dd>
        {toSocketFacts(record).map(({ name, value }) => [
          <dt key={`${name} name`}>{name}</dt>,
          <dd key={name}>{value}</dd>,
        ])}
      </dl>
    </section>
  );
}
