import { json, result } from './scripted-behaviour.ts';
import { startScripted, type ScriptedServer } from './scripted.ts';

/** A schema with all that a form has to draw. */
const EVERY_KIND = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'Who are you?', minLength: 2, examples: ['Ada'] },
    big: { type: 'integer', default: 1 },
    nullable: { type: ['string', 'null'] },
    kind: { enum: ['a', 3, null] },
    flags: { type: 'array', items: { enum: ['x', 'y', 'z'] } },
    addresses: {
      type: 'array',
      items: {
        type: 'object',
        properties: { street: { type: 'string' }, zip: { type: 'string', pattern: '^[0-9]{5}$' } },
        required: ['street'],
      },
    },
    shape: {
      oneOf: [
        {
          title: 'Circle',
          type: 'object',
          properties: { kind: { const: 'circle' }, r: { type: 'number' } },
          required: ['kind', 'r'],
        },
        {
          title: 'Box',
          type: 'object',
          properties: { kind: { const: 'box' }, w: { type: 'number' } },
          required: ['kind'],
        },
      ],
    },
    node: { $ref: '#/$defs/node' },
    any: {},
    counts: { type: 'object', additionalProperties: { type: 'integer' } },
  },
  required: ['name', 'addresses', 'shape'],
  $defs: {
    node: {
      type: 'object',
      properties: { value: { type: 'string' }, next: { $ref: '#/$defs/node' } },
    },
  },
};

const TOOLS = [
  { name: 'form', inputSchema: EVERY_KIND },
  {
    name: 'promise',
    inputSchema: { type: 'object' },
    outputSchema: { type: 'object', properties: { t: { type: 'number' } }, required: ['t'] },
  },
  { name: 'twice', inputSchema: { type: 'object' } },
  { name: 'twice', inputSchema: { type: 'object' } },
  { name: 'no schema' },
  null,
];

/**
 * Starts a legacy server whose tools want every kind of argument, and break every promise: `form` answers with
 * its arguments, `promise` with output that its schema does not allow. Its prompts fail on the second page, its
 * resources never end.
 */
export function startFormTools(): Promise<ScriptedServer> {
  return startScripted({
    'tools/list': json(result(JSON.stringify({ tools: TOOLS }))),
    'tools/call': ({ message }) => {
      const { name, arguments: given } = message.params as { name: string; arguments?: unknown };
      const content = [{ type: 'text', text: JSON.stringify(given) }];
      const structured = name === 'promise' ? { structuredContent: { t: 'warm' } } : {};
      return json(result(JSON.stringify({ content, ...structured })));
    },
    'prompts/list': ({ message }) =>
      (message.params as { cursor?: string } | undefined)?.cursor === undefined
        ? json(result('{"prompts":[{"name":"one"}],"nextCursor":"two"}'))
        : json('{"jsonrpc":"2.0","id":$id,"error":{"code":-32603,"message":"No more paper"}}'),
    'resources/list': (_, nth) =>
      json(result(`{"resources":[{"uri":"a:${nth}","name":"r"}],"nextCursor":"${nth}"}`)),
  });
}
