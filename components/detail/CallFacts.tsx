import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { RequestItem } from '../../lib/capture/correlate/items.ts';
import type { AppModel } from '../../lib/state/app-model.ts';
import { toCallFacts } from '../../lib/state/detail/call-facts.ts';
import type { CallFacts as Facts } from '../../lib/state/detail/call-facts.ts';
import {
  missingCapabilities,
  planTaskPoll,
  planWithCapabilities,
} from '../../lib/state/replay/resend.ts';
import './CallFacts.css';

interface CallFactsProps {
  item: RequestItem;
  /** Grows with the item, which changes in place. */
  revision: number;
  model: AppModel;
}

/** What revision 2026-07-28 adds to a call and its result, and what can be done about it. */
export function CallFacts({ item, revision, model }: CallFactsProps) {
  const { correlation } = model;
  const inputs = [item, revision];
  const facts = useMemo(() => toCallFacts(item, correlation), inputs);
  const missing = useMemo(() => missingCapabilities(item, correlation), inputs);
  const isEmpty = Object.values(facts).every((fact) => Array.isArray(fact) && fact.length === 0);
  if (isEmpty && missing === undefined) return null;
  const { resultType, caching, excluded, task, subscription, rounds } = facts;
  return (
    <div class="call-facts">
      {missing !== undefined && <Missing item={item} missing={missing} model={model} />}
      <dl class="call-facts-list">
        {resultType !== undefined && <Fact title="Result type">{resultType}</Fact>}
        {caching !== undefined && <Fact title="Caching">{caching}</Fact>}
        {subscription && <SubscriptionFacts subscription={subscription} />}
        {task && (
          <Fact title="Task">
            <span class="wire">{task.taskId}</span>: {task.words}{' '}
            {!task.isOver && <PollTask item={item} taskId={task.taskId} model={model} />}
          </Fact>
        )}
        {excluded.map(({ tool, reason }) => (
          <Fact key={tool} title="Excluded">
            <strong class="wire">{tool}</strong>: its <code>x-mcp-header</code> is invalid, since{' '}
            {reason}
          </Fact>
        ))}
        {rounds.map((round) => (
          <Fact key={round.item.key} title={round.name}>
            {round.item === item ? (
              <strong aria-current="true">{round.words}</strong>
            ) : (
              <button type="button" class="link" onClick={() => model.selection.open(round.item)}>
                {round.words}
              </button>
            )}
          </Fact>
        ))}
      </dl>
    </div>
  );
}

function Fact({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </>
  );
}

function SubscriptionFacts({
  subscription: { asked, agreed },
}: {
  subscription: NonNullable<Facts['subscription']>;
}) {
  return (
    <>
      <Fact title="Asked for">{asked}</Fact>
      <Fact title="Agreed to">{agreed ?? 'not acknowledged'}</Fact>
    </>
  );
}

interface ActionProps {
  item: RequestItem;
  model: AppModel;
}

function Missing({ item, missing, model }: ActionProps & { missing: string }) {
  return (
    <p class="call-facts-missing">
      The server needs the capability <code class="wire">{missing}</code>{' '}
      <button
        type="button"
        class="bordered"
        onClick={() => {
          const { correlation, connections, replay } = model;
          replay.follow(planWithCapabilities(item, missing, correlation, connections.value));
        }}
      >
        Resend with this capability
      </button>
    </p>
  );
}

function PollTask({ item, taskId, model }: ActionProps & { taskId: string }) {
  return (
    <button
      type="button"
      class="link"
      title="Ask the server how the task stands"
      onClick={() => {
        const { correlation, connections, replay } = model;
        replay.follow(planTaskPoll(item, taskId, correlation, connections.value));
      }}
    >
      tasks/get
    </button>
  );
}
