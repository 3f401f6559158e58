import type { ConnectionSummary } from '../../lib/port/contract.ts';
import type { AppModel } from '../../lib/state/app-model.ts';
import { summarizeChannels, toChannelSigns } from '../../lib/state/connect/channel-words.ts';
import './ChannelSigns.css';

interface ChannelSignsProps {
  connection: ConnectionSummary;
  model: AppModel;
}

/** How each way to the server stands, and one sentence for all of them where that is no good news. */
export function ChannelSigns({ connection, model }: ChannelSignsProps) {
  const channels = model.channels.of(connection.connectionId);
  const summary = channels && summarizeChannels(connection, channels);
  if (channels === undefined || summary === undefined) return null;
  return (
    <>
      <span role="group" aria-label="Channels" class="channels" title={summary.words}>
        {toChannelSigns(channels).map(({ label, sign, level, words }) => (
          <span key={label} class={`channel channel-${level}`} title={words}>
            <span aria-hidden="true">{sign}</span> {label}
            <span class="visually-hidden">{words.slice(label.length)}</span>
          </span>
        ))}
      </span>
      {/* Where a notice stands below, that says it. */}
      {!summary.isGood && connection.problem === undefined && (
        <span class="warning">{summary.words}</span>
      )}
    </>
  );
}
