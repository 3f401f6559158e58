/** The member of the params that `Mcp-Name` mirrors, by method (2026-07-28, Streamable HTTP, "Standard Request Headers"). */
export const MIRRORED_NAME: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};
