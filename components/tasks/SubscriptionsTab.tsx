import type { AppModel } from '../../lib/state/app-model.ts';
import { composerDeskOf } from '../../lib/state/composer/composer-desk.ts';
import { LOG_LEVELS } from '../../lib/protocol/request-methods.ts';
import { subscriptionsModelOf } from '../../lib/state/server/subscriptions-model.ts';
import { formatClock } from '../../lib/text.ts';
import { ProblemNotice } from '../ProblemNotice.tsx';
import { SubscribeForm } from './SubscribeForm.tsx';
import './Tasks.css';

/** What servers tell of by themselves: subscriptions, their streams, and from which level on they log. */
export function SubscriptionsTab({ model }: { model: AppModel }) {
  const subscriptions = subscriptionsModelOf(model);
  const { composer } = composerDeskOf(model);
  const connection = composer.connection.value;
  const isModern = connection?.era === 'modern';
  const rows = subscriptions.rows.value;
  return (
    <div class="tasks">
      <div class="tasks-bar">
        <button
          type="button"
          class="bordered"
          disabled={connection === undefined}
          onClick={() => connection && subscriptions.ping(connection)}
        >
          {isModern ? 'Discover again' : 'Ping'}
        </button>
        <label
          title={
            isModern
              ? 'Goes with each request from here; the server logs to its answer only'
              : 'Sends logging/setLevel'
          }
        >
          Log level{' '}
          <select
            disabled={connection === undefined}
            value={composer.logLevel.value}
            onChange={(event) => {
              const level = event.currentTarget.value;
              composer.logLevel.value = level;
              if (connection && !isModern && level !== '')
                subscriptions.setLevel(connection, level);
            }}
          >
            <option value="">{isModern ? 'none' : 'as it is'}</option>
            {LOG_LEVELS.map((level) => (
              <option key={level} value={level}>
                {level}
              </option>
            ))}
          </select>
        </label>
      </div>
      <SubscribeForm subscriptions={subscriptions} connection={connection} />
      {subscriptions.problem.value && (
        <ProblemNotice problem={subscriptions.problem.value} isAlert />
      )}
      {rows.length === 0 ? (
        <p class="dim">No subscription yet.</p>
      ) : (
        <ul class="tasks-list" aria-label="Subscriptions">
          {rows.map((row) => (
            <li key={row.key}>
              <span class="wire task-name">{row.words}</span>
              <span class={row.isOpen ? '' : 'dim'}>{row.state}</span>
              <span class="dim">
                {row.count === 1 ? '1 notification' : `${row.count} notifications`}
                {row.last && `, last at ${formatClock(row.last.started.wallTime).slice(0, 8)}`}
              </span>
              <button type="button" class="link" onClick={() => model.selection.open(row.item)}>
                Show
              </button>
              {row.last && (
                <button
                  type="button"
                  class="link"
                  onClick={() => row.last && model.selection.open(row.last)}
                >
                  Show the last
                </button>
              )}
              {subscriptions.isLive(row) && (
                <button type="button" class="link" onClick={() => subscriptions.end(row)}>
                  Unsubscribe
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
