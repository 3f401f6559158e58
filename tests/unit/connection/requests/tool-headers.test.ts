import { describe, expect, test } from 'vitest';
import type { Response } from '../../../../lib/connection/requests/own-request.ts';
import { createToolHeaders } from '../../../../lib/connection/requests/tool-headers.ts';

const REGION = { type: 'string', 'x-mcp-header': 'Region' };

function listed(tools: unknown, nextCursor?: unknown): Response {
  return { kind: 'result', id: '1', result: { tools, nextCursor } };
}

function tool(name: unknown, region: object = REGION) {
  return { name, inputSchema: { type: 'object', properties: { region } } };
}

describe('what a list tells', () => {
  test('is known for each tool by its name', () => {
    const tools = createToolHeaders();
    tools.learn(listed([tool('a'), tool('b', { type: 'string' })]));
    expect(tools.of('a')).toEqual([{ name: 'Region', path: ['region'] }]);
    expect(tools.of('b')).toEqual([]);
    expect(tools.of('c')).toEqual([]);
  });

  test('replaces what an earlier list told', () => {
    const tools = createToolHeaders();
    tools.learn(listed([tool('a')]));
    tools.learn(listed([tool('a', { type: 'string' })]));
    expect(tools.of('a')).toEqual([]);
  });

  test('counts only where all annotations of the tool are valid', () => {
    const tools = createToolHeaders();
    tools.learn(listed([tool('a', { type: 'number', 'x-mcp-header': 'Region' })]));
    expect(tools.of('a')).toEqual([]);
  });

  test.each([
    listed('none'),
    listed([null, 7, [], {}, tool(7)]),
    { kind: 'result', id: '1', result: null } as Response,
    { kind: 'error', id: '1', code: -32603, message: 'no', data: undefined } as Response,
  ])('may be nothing at all: %j', (response) => {
    const tools = createToolHeaders();
    tools.learn(response);
    expect(tools.of('7')).toEqual([]);
  });
});

describe('looking for a tool', () => {
  async function find(pages: Response[], name: string) {
    const tools = createToolHeaders();
    const cursors: (string | undefined)[] = [];
    await tools.find(name, async (cursor) => {
      cursors.push(cursor);
      return pages[Math.min(cursors.length, pages.length) - 1]!;
    });
    return { cursors, headers: tools.of(name) };
  }

  test('goes on from page to page until one names it', async () => {
    const { cursors, headers } = await find(
      [listed([tool('a')], '1'), listed([tool('b')], '2'), listed([tool('c')], '3')],
      'b',
    );
    expect(cursors).toEqual([undefined, '1']);
    expect(headers).toHaveLength(1);
  });

  test('ends with the list', async () => {
    expect((await find([listed([], '1'), listed([])], 'b')).cursors).toEqual([undefined, '1']);
  });

  test.each([7, null, {}])('ends where the cursor is %j', async (cursor) => {
    expect((await find([listed([], cursor)], 'b')).cursors).toEqual([undefined]);
  });

  test('ends where a page leads to itself', async () => {
    expect((await find([listed([], '1')], 'b')).cursors).toEqual([undefined, '1']);
  });

  test('does not follow a list for ever', async () => {
    const endless = Array.from({ length: 100 }, (_, page) => listed([], `${page}`));
    expect((await find(endless, 'b')).cursors).toHaveLength(50);
  });
});
