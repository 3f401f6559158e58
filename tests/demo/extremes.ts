import { json, result } from '../server/scripted-behaviour.ts';
import { startScripted, type ScriptedServer } from '../server/scripted.ts';

/** Longer than any column. */
export const LONG_TOOL = `a_tool_${'whose_name_goes_on_'.repeat(5)}v2`;
/** Written from right to left: a search. */
export const RTL_TOOL = 'البحث_في_المستندات';

const MANY_TOOLS = 1000;

const INTRODUCTION = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: {
    name: 'the-model-context-protocol-server-of-the-department-of-long-names',
    version: '10.20.30-beta.4+build.2026.12.01',
  },
};

const TOOLS = [
  {
    name: LONG_TOOL,
    title: 'A title that says everything twice, and then once more for good measure',
    description: 'Searches everything that there is to search. '.repeat(60),
    inputSchema: {
      type: 'object',
      properties: {
        [`a_parameter_${'of_some_length_'.repeat(6)}`]: { type: 'string' },
        أين: { type: 'string', description: 'أين يجب أن نبحث' },
      },
      required: ['أين'],
    },
  },
  {
    name: RTL_TOOL,
    title: 'البحث في المستندات',
    description: 'يبحث هذا في كل المستندات المتاحة، ويعيد أفضل عشر نتائج مع مقتطفات منها.',
    inputSchema: { type: 'object' },
  },
  ...Array.from({ length: MANY_TOOLS }, (_, index) => ({
    name: `tool_${index}`,
    description: `Does thing number ${index}`,
    inputSchema: { type: 'object' },
  })),
];

const FOUND = {
  content: [{ type: 'text', text: 'النتائج: '.repeat(60) }],
  structuredContent: { مفتاح: 'قيمة', long: 'x'.repeat(4000) },
};
const FAILURE = 'Something went wrong in a place that nobody has heard of. '.repeat(8);

/** Starts a server with a thousand tools and the longest of names, also from right to left. */
export function startExtremes(): Promise<ScriptedServer> {
  return startScripted({
    initialize: json(result(JSON.stringify(INTRODUCTION))),
    'tools/list': json(result(JSON.stringify({ tools: TOOLS }))),
    'tools/call': ({ message }) =>
      (message.params as { name: string }).name === RTL_TOOL
        ? json(result(JSON.stringify(FOUND)))
        : json(
            `{"jsonrpc":"2.0","id":$id,"error":{"code":-32603,"message":${JSON.stringify(FAILURE)}}}`,
          ),
  });
}
