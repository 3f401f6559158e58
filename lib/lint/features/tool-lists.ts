import { headerValue } from '../../capture/correlate/http-record.ts';
import type { WireEvent } from '../../capture/wire-event.ts';
import { V5 } from '../clause.ts';
import { evidenceOf, type Detect, type Detectors, type MessageFact } from '../facts.ts';
import type { Finding } from '../issue.ts';
import { listedTools } from '../listed-tools.ts';
import { shown } from '../payload.ts';
import { TOO } from '../rules/features.ts';
import type { ConnectionState } from '../state.ts';
import { resultOf, type Memories } from './memory.ts';

/** A list of tools that is still fresh by its own word. */
interface FreshList {
  connection: ConnectionState;
  event: WireEvent;
  names: string[];
  ttlMs: number;
}

/** For whom a list is: the server, and the token with which it was asked. */
function audienceOf({ exchange }: MessageFact): string | undefined {
  const request = exchange.record?.request;
  if (request === undefined) return undefined;
  const authorization = request.headers.find(({ name }) => name.toLowerCase() === 'authorization');
  const token = authorization?.cuts?.[0]?.secret ?? authorization?.value ?? '';
  // What else a profile sends may be what a list hangs on.
  const key = headerValue(request.headers, 'x-api-key') ?? '';
  return `${request.url.text} ${token} ${key}`;
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.toSorted().join('\n') === other.toSorted().join('\n');
}

/** Whether the tools of a server are the same for everybody, and in the same order. */
export function toolListDetectors(memories: Memories): Detectors {
  const fresh = new Map<string, FreshList>();

  function namesIn(fact: MessageFact): { names: string[]; cursor: string } | undefined {
    const { method, params } = resultOf(fact) ?? {};
    if (method !== 'tools/list' || fact.revision !== V5) return undefined;
    const names = listedTools(fact).map(({ name }) => String(name));
    return { names, cursor: shown(params?.['cursor']) };
  }

  const order: Detect<MessageFact> = (fact) => {
    const { names, cursor } = namesIn(fact) ?? {};
    if (names === undefined || cursor === undefined) return undefined;
    const { toolOrder } = memories(fact.connection);
    const before = toolOrder.get(cursor);
    toolOrder.set(cursor, names);
    if (before === undefined || before.join('\n') === names.join('\n')) return undefined;
    if (!isSameSet(before, names)) return undefined;
    const index = names.findIndex((name, at) => name !== before[at]);
    return {
      rule: TOO.order,
      side: 'server',
      group: 'order',
      message: `The same tools came in another order: ${shown(names[index])} where ${shown(before[index])} was.`,
      advice: 'Keep the order, so that clients and models can cache the list.',
    };
  };

  const varying: Detect<MessageFact> = (fact) => {
    const { names, cursor } = namesIn(fact) ?? {};
    const audience = audienceOf(fact);
    const { result } = resultOf(fact) ?? {};
    // Only a list on one page is known to be whole.
    const isWhole = cursor === 'nothing' && result?.['nextCursor'] === undefined;
    if (names === undefined || audience === undefined || !isWhole) return undefined;
    const before = fresh.get(audience);
    const { connection, event } = fact;
    const ttlMs = Number(result?.['ttlMs'] ?? 0);
    fresh.set(audience, { connection, event, names, ttlMs });
    if (before === undefined || before.connection === connection) return undefined;
    const isFresh = event.wallTime - before.event.wallTime < before.ttlMs;
    if (!isFresh || isSameSet(before.names, names)) return undefined;
    return varies(before, event, names);
  };

  return { responses: [order, varying] };
}

function varies(before: FreshList, event: WireEvent, names: readonly string[]): Finding {
  const more = names.find((name) => !before.names.includes(name));
  const less = before.names.find((name) => !names.includes(name));
  return {
    rule: TOO.order,
    side: 'server',
    group: 'connection',
    message: `Another connection was told other tools, and told that they last: ${
      more === undefined ? `${shown(less)} is missing here` : `${shown(more)} is here only`
    }.`,
    advice: 'What tools there are must not hang on the connection.',
    evidence: [evidenceOf(event), evidenceOf(before.event)],
  };
}
