import type { Era } from '../capture/wire-event.ts';
import { LEGACY_REVISIONS, MODERN_REVISIONS } from './revisions.ts';

/** What a member of params may be: a JSON type, one of these texts, or an object with members. */
export type ParamKind =
  | 'string'
  | 'number'
  | 'boolean'
  | 'object'
  | 'array'
  | 'token'
  | readonly string[]
  | ParamShape;

/** Members by name; one that must be there ends with `!`. */
export interface ParamShape {
  readonly [name: string]: ParamKind;
}

/** A message that a client may send. */
export interface ClientMethod {
  method: string;
  /** What it is for, in a line. */
  does: string;
  eras: Era;
  /** The first legacy revision that has it; absent: all of them. */
  since?: (typeof LEGACY_REVISIONS)[number];
  mark?: 'deprecated' | 'experimental' | 'extension';
  params: ParamShape;
}

const CURSOR = { cursor: 'string' } as const;
const TASK = { 'taskId!': 'string' } as const;
const REF = { 'type!': ['ref/prompt', 'ref/resource'], name: 'string', uri: 'string' } as const;
const ROUND = { inputResponses: 'object', requestState: 'string' } as const;
/** The levels of log messages, from the least on (server/utilities/logging, after RFC 5424). */
export const LOG_LEVELS: readonly string[] =
  'debug info notice warning error critical alert emergency'.split(' ');

const COMPLETE = {
  'ref!': REF,
  'argument!': { 'name!': 'string', 'value!': 'string' },
  context: { arguments: 'object' },
} as const;

/** In the order of daily use. */
const LEGACY: readonly Omit<ClientMethod, 'eras'>[] = [
  { method: 'tools/list', does: 'Lists the tools, page by page.', params: CURSOR },
  {
    method: 'tools/call',
    does: 'Calls a tool with arguments. It may change things on the server.',
    params: { 'name!': 'string', arguments: 'object', task: 'object' },
  },
  { method: 'resources/list', does: 'Lists the resources, page by page.', params: CURSOR },
  {
    method: 'resources/templates/list',
    does: 'Lists the templates of resource URIs, page by page.',
    params: CURSOR,
  },
  { method: 'resources/read', does: 'Reads a resource.', params: { 'uri!': 'string' } },
  {
    method: 'resources/subscribe',
    does: 'Asks to be told when a resource changes. Gone in 2026-07-28.',
    params: { 'uri!': 'string' },
  },
  {
    method: 'resources/unsubscribe',
    does: 'Ends a subscription to a resource. Gone in 2026-07-28.',
    params: { 'uri!': 'string' },
  },
  { method: 'prompts/list', does: 'Lists the prompts, page by page.', params: CURSOR },
  {
    method: 'prompts/get',
    does: 'Gets the messages of a prompt. Its arguments are texts.',
    params: { 'name!': 'string', arguments: 'object' },
  },
  {
    method: 'completion/complete',
    does: 'Completes an argument of a prompt or of a resource template.',
    params: COMPLETE,
  },
  {
    method: 'logging/setLevel',
    does: 'Sets from which level on the server logs to us. Gone in 2026-07-28.',
    mark: 'deprecated',
    params: { 'level!': LOG_LEVELS },
  },
  { method: 'ping', does: 'Asks for a sign of life. Gone in 2026-07-28.', params: {} },
  {
    method: 'initialize',
    does: 'Begins a session. The connection has done so already.',
    params: { 'protocolVersion!': 'string', 'capabilities!': 'object', 'clientInfo!': 'object' },
  },
  {
    method: 'tasks/list',
    does: 'Lists the tasks of this session.',
    since: '2025-11-25',
    mark: 'experimental',
    params: CURSOR,
  },
  {
    method: 'tasks/get',
    does: 'Asks how a task stands.',
    since: '2025-11-25',
    mark: 'experimental',
    params: TASK,
  },
  {
    method: 'tasks/result',
    does: 'Waits for the result of a task, and for what it asks meanwhile.',
    since: '2025-11-25',
    mark: 'experimental',
    params: TASK,
  },
  {
    method: 'tasks/cancel',
    does: 'Cancels a task.',
    since: '2025-11-25',
    mark: 'experimental',
    params: TASK,
  },
  {
    method: 'notifications/cancelled',
    does: 'Says that the answer to a request is no longer wanted.',
    params: { 'requestId!': 'token', reason: 'string' },
  },
  {
    method: 'notifications/progress',
    does: 'Tells the server how far we are with a request of its own.',
    params: {
      'progressToken!': 'token',
      'progress!': 'number',
      total: 'number',
      message: 'string',
    },
  },
  {
    method: 'notifications/initialized',
    does: 'Ends the handshake. The connection has done so already.',
    params: {},
  },
  {
    method: 'notifications/roots/list_changed',
    does: 'Says that our roots have changed. Gone in 2026-07-28.',
    mark: 'deprecated',
    params: {},
  },
];

const MODERN: readonly Omit<ClientMethod, 'eras' | 'since'>[] = [
  {
    method: 'server/discover',
    does: 'Asks for revisions, capabilities and instructions.',
    params: {},
  },
  { method: 'tools/list', does: 'Lists the tools, page by page.', params: CURSOR },
  {
    method: 'tools/call',
    does: 'Calls a tool with arguments. It may change things on the server.',
    params: { 'name!': 'string', arguments: 'object', ...ROUND },
  },
  { method: 'resources/list', does: 'Lists the resources, page by page.', params: CURSOR },
  {
    method: 'resources/templates/list',
    does: 'Lists the templates of resource URIs, page by page.',
    params: CURSOR,
  },
  { method: 'resources/read', does: 'Reads a resource.', params: { 'uri!': 'string', ...ROUND } },
  { method: 'prompts/list', does: 'Lists the prompts, page by page.', params: CURSOR },
  {
    method: 'prompts/get',
    does: 'Gets the messages of a prompt. Its arguments are texts.',
    params: { 'name!': 'string', arguments: 'object', ...ROUND },
  },
  {
    method: 'completion/complete',
    does: 'Completes an argument of a prompt or of a resource template.',
    params: COMPLETE,
  },
  {
    method: 'subscriptions/listen',
    does: 'Opens a stream of notifications, of these kinds only, until it is cancelled.',
    params: {
      'notifications!': {
        toolsListChanged: 'boolean',
        promptsListChanged: 'boolean',
        resourcesListChanged: 'boolean',
        resourceSubscriptions: 'array',
        taskIds: 'array',
      },
    },
  },
  { method: 'tasks/get', does: 'Asks how a task stands.', mark: 'extension', params: TASK },
  {
    method: 'tasks/update',
    does: 'Answers what a task asks for.',
    mark: 'extension',
    params: { ...TASK, 'inputResponses!': 'object' },
  },
  { method: 'tasks/cancel', does: 'Asks to cancel a task.', mark: 'extension', params: TASK },
];

/** What a client may send in a revision; in the newest legacy one where there is none yet. */
export function clientMethods(era: Era | undefined, revision?: string): ClientMethod[] {
  if (era === 'modern') return MODERN.map((each) => ({ ...each, eras: 'modern' }));
  const order: readonly string[] = LEGACY_REVISIONS;
  const at = order.indexOf(revision ?? order[0] ?? '');
  return LEGACY.filter(({ since }) => since === undefined || at <= order.indexOf(since)).map(
    (each) => ({ ...each, eras: 'legacy' }),
  );
}

/** The revision that a method is looked up in, in words. */
export function revisionName(era: Era | undefined, revision: string | undefined): string {
  return revision ?? (era === 'modern' ? MODERN_REVISIONS[0] : LEGACY_REVISIONS[0]);
}
