const TASK = '{\n  "taskId": ""\n}';

/** Starting points for methods that are useless without params. */
const TEMPLATES: Record<string, string> = {
  'tools/call': '{\n  "name": "",\n  "arguments": {}\n}',
  'resources/read': '{\n  "uri": ""\n}',
  'resources/subscribe': '{\n  "uri": ""\n}',
  'resources/unsubscribe': '{\n  "uri": ""\n}',
  'prompts/get': '{\n  "name": "",\n  "arguments": {}\n}',
  'completion/complete':
    '{\n  "ref": { "type": "ref/prompt", "name": "" },\n  "argument": { "name": "", "value": "" }\n}',
  'logging/setLevel': '{\n  "level": "debug"\n}',
  'subscriptions/listen': '{\n  "notifications": { "toolsListChanged": true }\n}',
  'tasks/get': TASK,
  'tasks/result': TASK,
  'tasks/cancel': TASK,
  'tasks/update': '{\n  "taskId": "",\n  "inputResponses": {}\n}',
  'notifications/cancelled': '{\n  "requestId": 0,\n  "reason": ""\n}',
  'notifications/progress': '{\n  "progressToken": 0,\n  "progress": 1\n}',
};

/** The params with which a method begins. */
export function templateOf(method: string): string | undefined {
  return Object.hasOwn(TEMPLATES, method) ? TEMPLATES[method] : undefined;
}
