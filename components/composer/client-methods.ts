import type { Era } from '../../lib/capture/wire-event.ts';

/** Requests that a client may send in the legacy revisions, those of daily use first. */
const LEGACY_CLIENT_METHODS = [
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'ping',
  'initialize',
  'tasks/list',
  'tasks/get',
  'tasks/result',
  'tasks/cancel',
] as const;

/** Requests that a client may send in revision 2026-07-28, extensions last. */
const MODERN_CLIENT_METHODS = [
  'server/discover',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'subscriptions/listen',
  'tasks/get',
  'tasks/update',
  'tasks/cancel',
] as const;

/** What to offer for a connection; without one, that of the legacy revisions. */
export function clientMethods(era: Era | undefined): readonly string[] {
  return era === 'modern' ? MODERN_CLIENT_METHODS : LEGACY_CLIENT_METHODS;
}
