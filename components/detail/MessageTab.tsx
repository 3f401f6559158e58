import type {
  Item,
  LifecycleItem,
  MessageRef,
  RequestItem,
} from '../../lib/capture/correlate/items.ts';
import type { AppModel } from '../../lib/state/app-model.ts';
import { roundStateOf } from '../../lib/state/view/call-state.ts';
import { messageEraOf } from '../../lib/state/connect/message-era.ts';
import { originOf } from '../../lib/state/replay/replay-links.ts';
import { traceOf } from '../../lib/state/detail/trace-context.ts';
import { formatClock } from '../../lib/text.ts';
import { ProblemNotice } from '../ProblemNotice.tsx';
import { deferred } from '../ui/Deferred.tsx';
import { MessageSection } from './MessageSection.tsx';
import { RaiseLimit } from './RaiseLimit.tsx';
import { SocketSection } from './SocketSection.tsx';

const TraceFact = deferred(async () => (await import('./TraceFact.tsx')).TraceFact);

const CallFacts = deferred(async () => (await import('./CallFacts.tsx')).CallFacts);

interface MessagesProps {
  item: Item;
  model: AppModel;
}

interface MessageTabProps extends MessagesProps {
  /** Grows with the item, which changes in place. */
  revision: number;
}

/** The JSON-RPC message or messages of an item, and what is wrong with them. */
export function MessageTab({ item, revision, model }: MessageTabProps) {
  const origin = originOf(item, model.correlation.https);
  const trace = traceOf(item, model.correlation);
  const isModern = messageEraOf(item, model.correlation)?.era === 'modern';
  return (
    <div class="message-tab">
      {item.problem && <ProblemNotice problem={item.problem} />}
      {item.problem && <RaiseLimit problem={item.problem} model={model} />}
      {trace !== undefined && <TraceFact trace={trace} />}
      {origin !== undefined && <ReplayOrigin sequence={origin} model={model} />}
      {isModern && item.kind === 'request' && item.direction === 'outgoing' && (
        <CallFacts item={item} revision={revision} model={model} />
      )}
      <Messages item={item} model={model} />
    </div>
  );
}

function Messages({ item, model }: MessagesProps) {
  switch (item.kind) {
    case 'request':
      return (
        <>
          <MessageSection title="Request" message={item.message} model={model} />
          {item.response && (
            <MessageSection title="Response" message={item.response} model={model} />
          )}
          <LastAnswer item={item} model={model} />
          {!item.response && item.direction === 'outgoing' && (
            <BodyWithoutMessage item={item} model={model} title="Response" />
          )}
        </>
      );
    case 'notification':
    case 'stray':
      return (
        <>
          <MessageSection
            title={item.kind === 'notification' ? 'Notification' : 'Message'}
            message={item.message}
            model={model}
          />
          {item.direction === 'outgoing' && (
            <BodyWithoutMessage item={item} model={model} title="Response body" />
          )}
        </>
      );
    case 'stream':
    case 'http':
      return <BodyWithoutMessage item={item} model={model} title="Response body" />;
    case 'socket': {
      const record = model.correlation.sockets.get(item.socketId);
      return record ? <SocketSection record={record} secrets={model.secrets} /> : null;
    }
    case 'auth':
      // All that there is to it is on a tab of its own.
      return null;
    case 'lifecycle':
      return <Lifecycle item={item} />;
  }
}

/** What came in the end of a call whose server asked before it went on. */
function LastAnswer({ item, model }: { item: RequestItem; model: AppModel }) {
  const last = roundStateOf(item, model.correlation)?.decisive;
  if (last?.response === undefined || last === item) return null;
  const title = `Response of round ${last.round?.number ?? 1}`;
  return <MessageSection title={title} message={last.response} model={model} />;
}

function Lifecycle({ item }: { item: LifecycleItem }) {
  return (
    <div class="lifecycle">
      <p>
        <strong>{item.title}</strong> <span class="dim">{formatClock(item.started.wallTime)}</span>
      </p>
      {item.detail !== undefined && <p>{item.detail}</p>}
    </div>
  );
}

/** The body of an HTTP response in which no response message was found, raw as it came. */
function BodyWithoutMessage({ item, model, title }: MessagesProps & { title: string }) {
  const record = item.httpId === undefined ? undefined : model.correlation.https.get(item.httpId);
  if (record === undefined || item.kind === 'lifecycle') return null;
  const isOpen = record.end === undefined;
  if (record.sizeBytes === 0 || record.stream.length > 0) {
    return (
      <p class="message-note dim">
        {record.stream.length > 0
          ? 'The stream tab shows what arrived.'
          : isOpen
            ? 'Nothing has arrived yet.'
            : 'The response has no body.'}
      </p>
    );
  }
  const body: MessageRef = { in: 'body', httpId: record.httpId };
  return <MessageSection title={title} message={body} model={model} />;
}

function ReplayOrigin({ sequence, model }: { sequence: number; model: AppModel }) {
  const origin = model.correlation.items.find((item) => item.sequence === sequence);
  if (origin === undefined) return <p class="message-note dim">A replay of an earlier request.</p>;
  return (
    <p class="message-note">
      A replay of the request at{' '}
      <button type="button" class="link" onClick={() => model.selection.open(origin)}>
        {formatClock(origin.started.wallTime)}
      </button>
    </p>
  );
}
