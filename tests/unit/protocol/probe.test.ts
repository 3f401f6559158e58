import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ErrorCode, Problem } from '../../../lib/errors.ts';
import {
  isModernCode,
  judgeProbeFailure,
  judgeProbeResponse,
} from '../../../lib/protocol/probe.ts';

const result = (value: unknown) => judgeProbeResponse({ kind: 'result', id: '0', result: value });

const error = (code: number | undefined, data?: unknown, message = 'no') =>
  judgeProbeResponse({ kind: 'error', id: '0', code, message, data });

const failure = (code: ErrorCode, status?: number) =>
  judgeProbeFailure({
    code,
    message: 'it failed',
    ...(status === undefined ? {} : { answer: { status } }),
  });

describe('a result of `server/discover`', () => {
  test('with our revision is modern', () => {
    expect(result({ supportedVersions: ['2027-01-01', '2026-07-28', '2025-11-25'] })).toEqual({
      kind: 'modern',
      revision: '2026-07-28',
      reason: 'speaks 2026-07-28',
    });
  });

  test('with legacy revisions only leads to `initialize`, with the newest of them', () => {
    expect(result({ supportedVersions: ['2025-03-26', '2025-06-18', '2024-11-05'] })).toMatchObject(
      {
        kind: 'legacy',
        offer: '2025-06-18',
      },
    );
  });

  test('with nothing that we know ends the attempt, with both lists', () => {
    const verdict = result({ supportedVersions: ['2027-01-01'] });
    expect(verdict).toMatchObject({
      kind: 'failed',
      problem: {
        code: 'protocol-version',
        message: expect.stringContaining('2027-01-01'),
        advice: expect.stringContaining('2026-07-28, 2025-11-25'),
      },
    });
  });

  test.each([{}, null, [], 'ok', { supportedVersions: [] }, { supportedVersions: '2026-07-28' }])(
    '%j is what a server says that answers anything: legacy',
    (value) => {
      expect(result(value)).toMatchObject({ kind: 'legacy' });
      expect(result(value)).not.toHaveProperty('offer');
    },
  );
});

describe('an error', () => {
  test.each([-32601, -32600, -32602, -32000, -32603, 0, undefined])(
    '%s is not a modern one, so the server is legacy, and its words are kept',
    (code) => {
      const verdict = error(code, undefined, 'Server not initialized');
      expect(verdict).toMatchObject({ kind: 'legacy' });
      expect(verdict.reason).toContain('Server not initialized');
      expect(isModernCode(code)).toBe(false);
    },
  );

  test('-32020: a modern server, to be asked once more', () => {
    expect(error(-32020)).toMatchObject({ kind: 'again', repeat: 'headers', capabilities: {} });
  });

  test('-32021: once more with the capability that it asks for', () => {
    const requiredCapabilities = { elicitation: { form: {} } };
    expect(error(-32021, { requiredCapabilities })).toMatchObject({
      kind: 'again',
      repeat: 'capability',
      capabilities: requiredCapabilities,
    });
  });

  test('-32022 with our revision in its list: once more, and then both sides are named', () => {
    expect(error(-32022, { supported: ['2026-07-28', '2025-11-25'] })).toMatchObject({
      kind: 'again',
      repeat: 'version',
      problem: { code: 'protocol-version', advice: 'It lists 2026-07-28, 2025-11-25.' },
    });
  });

  test('-32022 with legacy revisions only: the newest of them', () => {
    expect(error(-32022, { supported: ['2025-06-18', '2025-11-25'] })).toMatchObject({
      kind: 'legacy',
      offer: '2025-11-25',
    });
  });

  test('-32022 with nothing that we know ends the attempt', () => {
    expect(error(-32022, { supported: ['2099-01-01'] })).toMatchObject({
      kind: 'failed',
      problem: { message: expect.stringContaining('2099-01-01') },
    });
  });

  test.each([undefined, {}, { supported: [] }, { supported: [7] }, { supported: 'x' }, 'x', null])(
    '-32022 with %j instead of a list is legacy',
    (data) => {
      expect(error(-32022, data)).toMatchObject({ kind: 'legacy' });
    },
  );

  test.each([-32020, -32021, -32022])('%s is a sign of the modern era', (code) => {
    expect(isModernCode(code)).toBe(true);
  });
});

describe('no response', () => {
  test.each([400, 404, 405, 406, 415, 421])('%s is legacy', (status) => {
    expect(failure('http-status', status)).toMatchObject({
      kind: 'legacy',
      reason: expect.stringContaining(String(status)),
    });
  });

  test.each(['http-unauthorized', 'http-forbidden'] as const)(
    '%s says nothing of the era, and nothing below is tried',
    (code) => {
      expect(failure(code, code === 'http-unauthorized' ? 401 : 403)).toMatchObject({
        kind: 'failed',
        problem: { code },
      });
    },
  );

  test.each([408, 425, 429, 500, 502, 503, 504])('%s proves nothing', (status) => {
    expect(failure('http-status', status)).toMatchObject({
      kind: 'undecided',
      reason: `era unproven: probe answered ${status}`,
    });
  });

  test('in time proves nothing', () => {
    expect(failure('deadline')).toMatchObject({ kind: 'undecided' });
  });

  test.each([
    'body-empty',
    'body-type',
    'body-not-json',
    'body-not-rpc',
    'body-web-page',
    'accepted-request',
    'stream-no-response',
  ] as const)('%s is legacy: a 2xx that a modern server does not give', (code) => {
    expect(failure(code, undefined)).toMatchObject({ kind: 'legacy' });
  });

  test('but an `endpoint` event is a sign of HTTP+SSE, and is named', () => {
    const problem: Problem = { code: 'body-type', message: 'it answered', isHttpSse: true };
    expect(judgeProbeFailure(problem)).toMatchObject({
      kind: 'legacy',
      reason: expect.stringContaining('`endpoint`'),
    });
  });

  test.each([
    'network-refused',
    'network-failed',
    'network-tls',
    'stream-cut',
    'body-limit',
    'http-redirect',
  ] as const)('%s ends the attempt, and is no verdict', (code) => {
    expect(failure(code)).toMatchObject({ kind: 'failed', problem: { code } });
  });
});

test('a verdict is found for whatever a server sends', () => {
  const kinds = ['modern', 'legacy', 'again', 'undecided', 'failed'];
  const codes = fc.oneof(fc.integer(), fc.constantFrom(-32020, -32021, -32022));
  fc.assert(
    fc.property(fc.jsonValue(), codes, fc.string(), (value, code, key) => {
      for (const holder of [value, { supportedVersions: value }, { [key]: value }]) {
        expect(kinds).toContain(result(holder).kind);
      }
      for (const data of [value, { supported: value }, { requiredCapabilities: value }]) {
        const verdict = error(code, data);
        expect(kinds).toContain(verdict.kind);
        expect(verdict.reason).not.toBe('');
      }
    }),
  );
});
