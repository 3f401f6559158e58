import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withEnvelope } from '../../../lib/protocol/envelope.ts';

const ENVELOPE = {
  protocolVersion: '2026-07-28',
  clientInfo: { name: 'Wirescope', version: '1' },
  clientCapabilities: { elicitation: {} },
};
const KEYS = ['protocolVersion', 'clientInfo', 'clientCapabilities'].map(
  (key) => `io.modelcontextprotocol/${key}`,
);
const META = {
  [KEYS[0]!]: ENVELOPE.protocolVersion,
  [KEYS[1]!]: ENVELOPE.clientInfo,
  [KEYS[2]!]: ENVELOPE.clientCapabilities,
};

describe('the envelope', () => {
  test.each([undefined, '{}', ' { } '])('makes params of %j', (params) => {
    expect(JSON.parse(withEnvelope(params, ENVELOPE))).toEqual({ _meta: META });
  });

  test('stands before all else, which is kept to the letter', () => {
    const params = '{ "name" : "a", "n":1.0e+2,"big":12345678901234567890 }';
    const text = withEnvelope(params, ENVELOPE);
    expect(text).toBe(`{"_meta":${JSON.stringify(META)},${params.slice(1)}`);
  });

  test('adds to a _meta only what is missing there', () => {
    const params = `{"_meta": {"progressToken":7, "${KEYS[0]}":"2099-01-01"}}`;
    const text = withEnvelope(params, ENVELOPE);
    const { _meta } = JSON.parse(text) as { _meta: object };
    expect(_meta).toEqual({ ...META, [KEYS[0]!]: '2099-01-01', progressToken: 7 });
    expect(text).toContain(`"progressToken":7, "${KEYS[0]}":"2099-01-01"}}`);
    expect(Object.keys(_meta).slice(0, 2)).toEqual([KEYS[1], KEYS[2]]);
  });

  test('is not put in twice', () => {
    const once = withEnvelope('{"a":1}', ENVELOPE);
    expect(withEnvelope(once, ENVELOPE)).toBe(once);
  });

  test.each(['[1]', '7', '{"_meta":null}', '{"_meta":[]}', '{"a":', ''])(
    'leaves %s as it is',
    (params) => {
      expect(withEnvelope(params, ENVELOPE)).toBe(params);
    },
  );

  test('never takes anything from the params, however they are written', () => {
    const params = fc.tuple(
      fc.dictionary(fc.string(), fc.jsonValue()).filter((given) => !('_meta' in given)),
      fc.nat(4),
    );
    fc.assert(
      fc.property(params, ([given, indent]) => {
        const text = JSON.stringify(given, undefined, indent);
        const result = withEnvelope(text, ENVELOPE);
        expect(JSON.parse(result)).toEqual({ ...JSON.parse(text), _meta: META });
        expect(result.endsWith(text.slice(1))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
