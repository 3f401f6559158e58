import type { Direction } from '../../capture/correlate/items.ts';
import { isRecord } from '../../record.ts';
import { V1, V2 } from '../clause.ts';
import type { Detectors, MessageFact } from '../facts.ts';
import type { Finding } from '../issue.ts';
import { senderOf } from './rpc.ts';
import { LIF } from '../rules/lifecycle.ts';
import { type ConnectionState } from '../state.ts';

/** Whose capability a message needs, and which, by its path. */
interface Need {
  of: 'client' | 'server';
  path: string;
}

const OUTGOING: [method: RegExp, path: string][] = [
  [/^tools\//, 'tools'],
  [/^resources\/(un)?subscribe$/, 'resources.subscribe'],
  [/^resources\//, 'resources'],
  [/^prompts\//, 'prompts'],
  [/^logging\//, 'logging'],
  [/^tasks\//, 'tasks'],
];

const INCOMING: [method: RegExp, path: string][] = [
  [/^roots\/list$/, 'roots'],
  [/^sampling\/createMessage$/, 'sampling'],
  [/^elicitation\/create$/, 'elicitation'],
  [/^tasks\//, 'tasks'],
];

/** Notifications about what the sender itself has declared. */
const OWN: [method: RegExp, path: string][] = [
  [/^notifications\/tools\/list_changed$/, 'tools.listChanged'],
  [/^notifications\/prompts\/list_changed$/, 'prompts.listChanged'],
  [/^notifications\/resources\/list_changed$/, 'resources.listChanged'],
  [/^notifications\/resources\/updated$/, 'resources.subscribe'],
  [/^notifications\/roots\/list_changed$/, 'roots.listChanged'],
];

/** The capability without which a message must not be sent; undefined where it needs none. */
function needOf(method: string, direction: Direction, hasCompletions: boolean): Need | undefined {
  const sender = direction === 'outgoing' ? 'client' : 'server';
  const receiver = direction === 'outgoing' ? 'server' : 'client';
  if (method.startsWith('notifications/')) {
    const path = find(OWN, method);
    return path === undefined ? undefined : { of: sender, path };
  }
  if (direction === 'outgoing' && method === 'completion/complete' && hasCompletions) {
    return { of: receiver, path: 'completions' };
  }
  const path = find(direction === 'outgoing' ? OUTGOING : INCOMING, method);
  return path === undefined ? undefined : { of: receiver, path };
}

/** Whether capabilities hold a path: an object stands for yes, as does `true`. */
function isDeclared(capabilities: Record<string, unknown>, path: string): boolean {
  let value: unknown = capabilities;
  for (const part of path.split('.')) value = isRecord(value) ? value[part] : undefined;
  return value !== undefined && value !== null && value !== false;
}

function find(table: readonly [RegExp, string][], method: string): string | undefined {
  return table.find(([pattern]) => pattern.test(method))?.[1];
}

function capability(fact: MessageFact): Finding | undefined {
  const { connection, method, direction } = fact;
  if (method === undefined || connection.initializeResult === undefined) return undefined;
  const revision = fact.revision;
  const need = needOf(method, direction, revision !== V1);
  if (need === undefined) return undefined;
  const declared = declaredBy(connection, need.of);
  if (declared === undefined || isDeclared(declared, need.path)) return undefined;
  return {
    rule: LIF.capability,
    severity: revision === V1 || revision === V2 ? 'warning' : 'error',
    side: senderOf(fact),
    group: method,
    message: `The ${senderOf(fact)} sent \`${method}\`, but the ${need.of} did not declare \`${need.path}\`.`,
  };
}

function declaredBy(
  connection: ConnectionState,
  side: 'client' | 'server',
): Record<string, unknown> | undefined {
  const declared =
    side === 'client' ? connection.clientCapabilities : connection.serverCapabilities;
  return isRecord(declared) ? declared : undefined;
}

/** Features that were not negotiated. */
export const CAPABILITY_DETECTORS: Detectors = { message: [capability] };
