import { describe, expect, test } from 'vitest';
import { modernCall } from '../../../lib/protocol/modern-call.ts';

const ENVELOPE = {
  protocolVersion: '2026-07-28',
  clientInfo: { name: 'wirescope', version: '1' },
  clientCapabilities: {},
};
const REGION = [{ name: 'Region', path: ['region'] }];

function headersOf(method: string, params?: string, paramHeaders = REGION) {
  const { headers } = modernCall(method, params, ENVELOPE, () => paramHeaders);
  return Object.fromEntries(headers.map(({ name, value }) => [name, value]));
}

describe('mirrored headers', () => {
  test('name the version and the method of every request', () => {
    expect(headersOf('server/discover')).toEqual({
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'server/discover',
    });
  });

  test.each([
    ['tools/call', '{"name":"echo"}', 'echo'],
    ['prompts/get', '{"name":"greet"}', 'greet'],
    ['resources/read', '{"uri":"file:///a%20b.txt"}', 'file:///a%20b.txt'],
    ['tasks/get', '{"taskId":"t1"}', 't1'],
    ['tasks/update', '{"taskId":"t1"}', 't1'],
    ['tasks/cancel', '{"taskId":"t1"}', 't1'],
    ['tools/call', '{"name":"grüße"}', '=?base64?Z3LDvMOfZQ==?='],
  ])('%s %s: the name is %s', (method, params, name) => {
    expect(headersOf(method, params)['Mcp-Name']).toBe(name);
  });

  test.each([
    ['tools/list', '{"name":"echo"}'],
    ['tools/call', '{"name":7}'],
    ['tools/call', '{}'],
    ['tools/call', undefined],
    ['prompts/get', '[1]'],
  ])('%s %s has no name', (method, params) => {
    expect(headersOf(method, params)).not.toHaveProperty('Mcp-Name');
  });

  test('mirror the arguments of a tool, and of nothing else', () => {
    const params = '{"name":"t","arguments":{"region":"eu"}}';
    expect(headersOf('tools/call', params)).toMatchObject({ 'Mcp-Param-Region': 'eu' });
    expect(headersOf('prompts/get', params)).not.toHaveProperty('Mcp-Param-Region');
    expect(headersOf('tools/call', params, [])).not.toHaveProperty('Mcp-Param-Region');
  });

  test('have all digits of an argument, also those that JavaScript has no number for', () => {
    for (const digits of ['9007199254740993', '-123456789012345678901', '1e400']) {
      const params = `{"name":"t","arguments":{"region":${digits}}}`;
      expect(headersOf('tools/call', params)).toMatchObject({ 'Mcp-Param-Region': digits });
    }
  });

  test('follow the body where somebody wrote another version into it', () => {
    const params = '{"_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01"}}';
    expect(headersOf('tools/list', params)['MCP-Protocol-Version']).toBe('2099-01-01');
    const { paramsText } = modernCall('tools/list', params, ENVELOPE, () => []);
    expect(paramsText).toContain('"io.modelcontextprotocol/protocolVersion":"2099-01-01"');
    expect(paramsText).not.toContain('2026-07-28');
  });

  test.each(['{"a":', '7', 'null'])(
    'of params %s, which are no object, are the method only',
    (params) => {
      const { paramsText, headers } = modernCall('tools/call', params, ENVELOPE, () => REGION);
      expect(paramsText).toBe(params);
      expect(headers.map(({ name }) => name)).toEqual(['MCP-Protocol-Version', 'Mcp-Method']);
    },
  );
});
