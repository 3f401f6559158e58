import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  buildError,
  buildNotification,
  buildRequest,
  buildResult,
  classifyPayload,
} from '../../../lib/protocol/jsonrpc.ts';

describe('messages', () => {
  test.each([
    [
      '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo"}}',
      { kind: 'request', id: '7', method: 'tools/call', params: { name: 'echo' } },
    ],
    [
      '{"jsonrpc":"2.0","id":"7","method":"ping"}',
      { kind: 'request', id: '"7"', method: 'ping', params: undefined },
    ],
    [
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      { kind: 'notification', method: 'notifications/initialized', params: undefined },
    ],
    ['{"jsonrpc":"2.0","id":0,"result":{}}', { kind: 'result', id: '0', result: {} }],
    ['{"jsonrpc":"2.0","id":1,"result":null}', { kind: 'result', id: '1', result: null }],
    [
      '{"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"No","data":[1]}}',
      { kind: 'error', id: '3', code: -32601, message: 'No', data: [1] },
    ],
  ])('reads %s', (text, message) => {
    expect(classifyPayload(text)).toEqual({ kind: 'message', message });
  });

  test.each([
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"boom"}}',
    '{"jsonrpc":"2.0","error":{"code":-32603,"message":"boom"}}',
  ])('reads an error that names no request: %s', (text) => {
    const message = { kind: 'error', id: null, code: -32603, message: 'boom', data: undefined };
    expect(classifyPayload(text)).toEqual({ kind: 'message', message });
  });

  test('takes any payload with a method for a call, whatever else it has', () => {
    const text = '{"jsonrpc":"2.0","id":3,"method":"ping","result":{},"error":{}}';
    expect(classifyPayload(text)).toMatchObject({ message: { kind: 'request', id: '3' } });
    expect(classifyPayload('{"id":3,"method":""}')).toMatchObject({
      message: { kind: 'request', method: '' },
    });
    expect(classifyPayload('{"id":3,"method":null,"result":{}}')).toMatchObject({
      kind: 'not-rpc',
      reason: 'The method is null',
    });
  });

  test('takes a notification that carries an id for a request', () => {
    const text = '{"id":5,"method":"notifications/progress","params":{}}';
    expect(classifyPayload(text)).toMatchObject({ message: { kind: 'request', id: '5' } });
  });

  test.each(['{"id":1,"result":{}}', '{"jsonrpc":"1.0","id":1,"result":{},"error":null}'])(
    'still reads a message with a missing or wrong jsonrpc member: %s',
    (text) => {
      expect(classifyPayload(text)).toMatchObject({ message: { kind: 'result', id: '1' } });
    },
  );

  test('reads the error of a JSON-RPC 1.0 server that writes a null result beside it', () => {
    const text = '{"id":1,"result":null,"error":{"code":"-32602","message":7}}';
    const message = { kind: 'error', id: '1', code: undefined, message: '', data: undefined };
    expect(classifyPayload(text)).toEqual({ kind: 'message', message });
  });

  test('finds no method in what an object inherits', () => {
    expect(classifyPayload('{"__proto__":{"method":"ping"},"id":1}').kind).toBe('not-rpc');
  });
});

describe('ids', () => {
  test.each([
    ['9007199254740993', '9007199254740993'],
    ['-9007199254740993', '-9007199254740993'],
    ['1915883588174806058', '1915883588174806058'],
    ['1e400', '1e400'],
    ['1.5', '1.5'],
    ['7.0', '7'],
    ['"a\\"b"', '"a\\"b"'],
    ['"\\u0061"', '"a"'],
  ])('keeps %s as %s', (raw, id) => {
    expect(classifyPayload(`{"id": ${raw} ,"method":"ping"}`)).toMatchObject({ message: { id } });
    expect(classifyPayload(`\ufeff[1,{"id": ${raw},"result":1}]`)).toMatchObject({
      items: [{ kind: 'not-rpc' }, { message: { id } }],
    });
  });

  test('takes the last of two ids, digits and all', () => {
    const text = '{"id":1,"result":{},"id":9007199254740993}';
    expect(classifyPayload(text)).toMatchObject({ message: { id: '9007199254740993' } });
  });
});

describe('what is no message', () => {
  test.each([
    ['{"jsonrpc":"2.0","id":null,"method":"roots/list"}', 'A call whose id is null'],
    ['{"id":true,"method":"ping"}', 'A call whose id is a boolean'],
    ['{"id":[1],"method":"ping"}', 'A call whose id is an array'],
    ['{"jsonrpc":"2.0","result":{}}', 'A result whose id is missing'],
    ['{"jsonrpc":"2.0","id":null,"result":{}}', 'A result whose id is null'],
    ['{"id":{},"error":{"code":1,"message":"x"}}', 'An error whose id is an object'],
    ['{"id":1,"result":{},"error":{"code":1,"message":"x"}}', 'Both result and error'],
    ['{"id":1,"result":null,"error":null}', 'Both result and error'],
    ['{"id":1,"error":"text"}', 'The error is a string'],
    ['{"jsonrpc":"2.0","id":1}', 'Neither method nor result nor error'],
    ['{"type":"heartbeat"}', 'Neither method nor result nor error'],
    ['"ok"', 'Expected an object, found a string'],
    ['null', 'Expected an object, found null'],
  ])('says why %s is none', (text, reason) => {
    const value: unknown = JSON.parse(text);
    expect(classifyPayload(text)).toEqual({ kind: 'not-rpc', reason, value });
  });

  test.each([
    ['<!doctype html>', 'Expected a value', 0],
    ['{"jsonrpc":"2.0",', 'The text ends too early', 17],
    ['{"a":1}\n{"b":2}', 'Expected nothing after the value', 8],
    ['{"n":NaN}', 'Expected a value', 5],
    ['\ufeff', 'There is no text', 1],
    ['', 'There is no text', 0],
  ])('says where %j stops being JSON', (text, error, offset) => {
    expect(classifyPayload(text)).toEqual({ kind: 'not-json', error, offset });
  });

  test('reads the elements of a batch, an array inside one as no message', () => {
    const text = '[{"method":"a"},{"id":1,"result":{}},[{"method":"b"}]]';
    expect(classifyPayload(text)).toMatchObject({
      kind: 'batch',
      items: [
        { message: { kind: 'notification' } },
        { message: { kind: 'result' } },
        { kind: 'not-rpc', reason: 'Expected an object, found an array' },
      ],
    });
    expect(classifyPayload('[]')).toEqual({ kind: 'batch', items: [] });
  });

  test('never throws', () => {
    const jsonish = fc.string({
      unit: fc.constantFrom(...'{}[]",:1e.-n\\u \ufeff'.split(''), '"id":', '"method":'),
    });
    fc.assert(
      fc.property(fc.oneof(fc.json(), jsonish, fc.string({ unit: 'binary' })), (text) => {
        expect(classifyPayload(text).kind).toMatch(/^(message|batch|not-json|not-rpc)$/);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('building', () => {
  const id = fc.oneof(
    fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }).map(String),
    fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
  );

  test('is read back as what was built', () => {
    fc.assert(
      fc.property(id, fc.string({ unit: 'binary' }), fc.jsonValue(), (rpcId, text, value) => {
        const json = JSON.stringify(value);
        const again: unknown = JSON.parse(json);
        expect(classifyPayload(buildResult(rpcId, json))).toEqual({
          kind: 'message',
          message: { kind: 'result', id: rpcId, result: again },
        });
        expect(classifyPayload(buildError(rpcId, -32601, text))).toEqual({
          kind: 'message',
          message: { kind: 'error', id: rpcId, code: -32601, message: text, data: undefined },
        });
        expect(classifyPayload(buildRequest(4, text, json))).toEqual({
          kind: 'message',
          message: { kind: 'request', id: '4', method: text, params: again },
        });
        expect(classifyPayload(buildNotification(text, json))).toEqual({
          kind: 'message',
          message: { kind: 'notification', method: text, params: again },
        });
      }),
    );
  });

  test('leaves out params that are not given and keeps given ones to the letter', () => {
    expect(buildRequest(1, 'ping')).toBe('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    expect(buildNotification('a', '{ "n": 1.0 }')).toBe(
      '{"jsonrpc":"2.0","method":"a","params":{ "n": 1.0 }}',
    );
  });
});
