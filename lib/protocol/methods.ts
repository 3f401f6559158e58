/** Requests of a client in the legacy revisions that only read: repeating one changes nothing at the server. */
const READING = new Set([
  'completion/complete',
  'ping',
  'prompts/get',
  'prompts/list',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'tools/list',
]);

/** Whether a request may be sent a second time without asking the user. A tool call never may. */
export function mayRepeat(method: string): boolean {
  return READING.has(method);
}
