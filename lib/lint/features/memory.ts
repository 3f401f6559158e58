import type { WireEvent } from '../../capture/wire-event.ts';
import { META, metaOf } from '../claims.ts';
import { V5 } from '../clause.ts';
import type { MessageFact } from '../facts.ts';
import { type ConnectionState } from '../state.ts';
import { isRecord } from '../../record.ts';

type Members = Record<string, unknown>;

/** Of 2025-11-25. */
const URL_ELICITATION_REQUIRED = -32042;

/** A task as it was last seen. */
export interface SeenTask {
  status: string;
  pollMs: number | undefined;
  /** When it was last asked about. */
  polled?: WireEvent;
  /** What it has asked for, by key. */
  asked: Map<string, string>;
}

/** The pages of one list. */
export interface Pages {
  /** Cursors that the server has given out. */
  issued: Set<string>;
  /** Cursors that were used since the first page was last asked for. */
  followed: Set<string>;
  /** The one that came last; absent after the last page. */
  next?: string;
}

/** What the rules need to remember of one connection. */
export interface FeatureMemory {
  /** As `logging/setLevel` has set it. */
  level?: unknown;
  pages: Map<string, Pages>;
  /** By name. */
  outputSchemas: Map<string, unknown>;
  /** Names of tools as they were last listed, by cursor. */
  toolOrder: Map<string, string[]>;
  /** By who runs it, and its id. */
  tasks: Map<string, SeenTask>;
}

/** The memories of all connections. */
export type Memories = (connection: ConnectionState) => FeatureMemory;

/** Starts with nothing remembered. */
export function createMemories(): Memories {
  const memories = new WeakMap<ConnectionState, FeatureMemory>();
  return (connection) => {
    const known = memories.get(connection);
    if (known !== undefined) return known;
    const memory: FeatureMemory = {
      pages: new Map(),
      outputSchemas: new Map(),
      toolOrder: new Map(),
      tasks: new Map(),
    };
    memories.set(connection, memory);
    return memory;
  };
}

/** The first result of the server to a request of ours, with the method; undefined where it is no such thing. */
export function resultOf({
  shape,
  direction,
  request,
  isMatchedById,
  members,
}: MessageFact): { method: string; params: Members; result: Members } | undefined {
  const result = members?.['result'];
  if (shape !== 'response' || direction === 'outgoing' || !isRecord(result)) return undefined;
  // A response with another id is no good one to look at.
  if (request === undefined || !isMatchedById || request.answer !== undefined) return undefined;
  return { method: request.method, params: request.params ?? {}, result };
}

/** Whether a result is the last word on its request: no task, and no question. */
export function isFinal({ revision }: MessageFact, result: Members): boolean {
  const { resultType } = result;
  if (revision === V5) return resultType === 'complete' || resultType === undefined;
  return !isRecord(result['task']);
}

/** A request of the server to its client, whichever way it comes. */
export interface Asked {
  method: string;
  params: Members;
  /** Where it stands in a modern result. */
  key?: string;
}

/** What a message of the server asks its client for. */
export function askedBy({ shape, direction, method, members }: MessageFact): Asked[] {
  if (direction === 'outgoing' || members === undefined) return [];
  const { params } = members;
  if (shape === 'request' && method !== undefined) {
    return [{ method, params: isRecord(params) ? params : {} }];
  }
  const { result, error } = members;
  if (isRecord(error)) return pagesToOpen(error);
  const holder = method === 'notifications/tasks' ? params : result;
  const asked = isRecord(holder) ? holder['inputRequests'] : undefined;
  if (!isRecord(asked)) return [];
  return Object.entries(asked).flatMap(([key, value]) => {
    if (!isRecord(value) || typeof value['method'] !== 'string') return [];
    const given = value['params'];
    return [{ key, method: value['method'], params: isRecord(given) ? given : {} }];
  });
}

/** The error of 2025-11-25 that names pages to open first asks for nothing but that. */
function pagesToOpen({ code, data }: Members): Asked[] {
  const pages = isRecord(data) ? data['elicitations'] : undefined;
  if (code !== URL_ELICITATION_REQUIRED || !Array.isArray(pages)) return [];
  return pages
    .filter(isRecord)
    .map((page) => ({ method: 'elicitation/create', params: { mode: 'url', ...page } }));
}

/** The capabilities of the client under which a message of the server is judged. */
export function clientCapabilities(fact: MessageFact): Members | undefined {
  const declared =
    fact.revision === V5
      ? metaOf(fact.request?.params)[`${META}clientCapabilities`]
      : fact.connection.clientCapabilities;
  return isRecord(declared) ? declared : undefined;
}

/** Key of a task: who runs it is who answers for it. */
export function taskKey(runner: 'client' | 'server', taskId: unknown): string {
  return `${runner} ${JSON.stringify(taskId)}`;
}
