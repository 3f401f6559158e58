import { describe, expect, test } from 'vitest';
import { createFactMask } from '../../../lib/capture/mask-fact.ts';
import type { Header } from '../../../lib/capture/store/stored-text.ts';
import type { WireFact } from '../../../lib/capture/wire-event.ts';
import { startRecorder, testSecrets } from '../../support/builders.ts';

const SECRET = 'sk-live/0123456789==';
const utf8 = new TextEncoder();
const problem = {
  code: 'http-status',
  message: `At http://h/mcp?key=k1: ${SECRET}.`,
  advice: `Not ${SECRET}`,
  detail: `{"echo":"${SECRET}"}`,
} as const;
const headers: Header[] = [
  { name: 'Authorization', value: `Bearer ${SECRET}` },
  { name: 'X-Echo', value: `was ${SECRET}` },
];
const url = { text: `http://h/${encodeURIComponent(SECRET)}?token=k1` };

const facts: WireFact[] = [
  {
    kind: 'connection-opened',
    profile: {
      url,
      transport: 'streamable-http',
      headers,
      originPolicy: { kind: 'none' },
      messageLimitBytes: 1,
      reconnection: { initialDelayMs: 1000, maxDelayMs: 30_000, factor: 1.5, retries: 2 },
    },
  },
  { kind: 'connection-failed', problem },
  {
    kind: 'connection-chosen',
    transport: 'streamable-http',
    era: 'legacy',
    revision: '2025-11-25',
    serverName: `of ${SECRET}`,
    serverVersion: SECRET,
    evidence: [],
  },
  { kind: 'rung-judged', rung: 'modern', verdict: 'failed', reason: problem.message, evidence: [] },
  { kind: 'connection-state', state: 'lost', cause: problem.message },
  { kind: 'session-assigned', session: SECRET, cuts: [], by: 'header' },
  { kind: 'session-replaced', session: SECRET, cuts: [], by: 'endpoint' },
  { kind: 'session-ended', cause: `${SECRET} is over` },
  {
    kind: 'http-request',
    httpId: 'h1',
    purpose: 'message',
    method: 'POST',
    url,
    headers,
    body: { bytes: utf8.encode(JSON.stringify({ token: SECRET })) },
    links: { lastEventId: `${SECRET}-7` },
  },
  { kind: 'http-sent', httpId: 'h1', headers, added: headers },
  { kind: 'http-received', httpId: 'h1', statusLine: `HTTP/1.1 400 not ${SECRET}`, headers },
  { kind: 'http-response', httpId: 'h1', status: 400, statusText: `not ${SECRET}`, headers },
  {
    kind: 'http-redirect',
    httpId: 'h1',
    status: 307,
    location: `/?key=k1&x=${SECRET}`,
    target: `http://h/?key=k1&x=${SECRET}`,
  },
  { kind: 'http-chunk', httpId: 'h1', offset: 0, data: { bytes: utf8.encode(`<${SECRET}>`) } },
  {
    kind: 'sse-event',
    httpId: 'h1',
    block: { offset: 0, length: 9 },
    event: SECRET,
    id: `${SECRET}_1`,
  },
  {
    kind: 'sse-ignored',
    httpId: 'h1',
    line: { offset: 0, length: 9 },
    reason: `No field has the name "${SECRET}"`,
  },
  { kind: 'http-end', httpId: 'h1', end: { outcome: 'failed', problem } },
  {
    kind: 'http-end',
    httpId: 'h1',
    end: { outcome: 'aborted', cause: 'close', sizeBytes: 0, note: SECRET },
  },
  { kind: 'socket-opening', socketId: 's1', url, subprotocols: ['mcp'] },
  {
    kind: 'socket-frame',
    socketId: 's1',
    direction: 'incoming',
    opcode: 'text',
    data: { bytes: utf8.encode(SECRET) },
  },
  { kind: 'page-navigated', url },
];

/** Everything that a fact says, bytes as text. */
function wordsOf(fact: WireFact): string {
  return JSON.stringify(fact, (_key, value: unknown) =>
    value instanceof Uint8Array ? new TextDecoder().decode(value) : value,
  );
}

/** A copy as the recorder makes it, masked. */
function masked(mask: (fact: WireFact) => void, fact: WireFact): WireFact {
  const copy = { ...fact };
  mask(copy);
  return copy;
}

describe('a stored fact', () => {
  test.each(facts.map((fact) => [fact.kind, fact] as const))(
    'keeps no secret: %s',
    async (_kind, fact) => {
      const secrets = await testSecrets();
      secrets.register(SECRET);
      const words = wordsOf(masked(createFactMask(secrets), fact));
      expect(wordsOf(fact)).toMatch(/sk-live|k1/);
      expect(words).not.toMatch(/sk-liv|012345|k1/);
    },
  );

  test('is the same in all that is no secret', async () => {
    const mask = createFactMask(await testSecrets());
    const harmless: WireFact[] = [
      { kind: 'http-end', httpId: 'h1', end: { outcome: 'complete', sizeBytes: 3 } },
      { kind: 'connection-failed', problem: { code: 'deadline', message: 'Late.' } },
      { kind: 'storage-state', state: 'memory', reason: 'full' },
      {
        kind: 'http-request',
        httpId: 'h1',
        purpose: 'message',
        method: 'POST',
        url: { text: 'http://h/mcp?page=2' },
        headers: [{ name: 'Accept', value: 'a=b' }],
        body: { bytes: utf8.encode('{}') },
        links: { replayOf: 3 },
      },
    ];
    for (const fact of harmless) expect(masked(mask, fact)).toEqual(fact);
  });

  test('holds bytes of its own, not a view of what the network handed out', async () => {
    const mask = createFactMask(await testSecrets());
    const bytes = new Uint8Array(1000).subarray(10, 20);
    const chunk = masked(mask, { kind: 'http-chunk', httpId: 'h1', offset: 0, data: { bytes } });
    expect(chunk).toMatchObject({ data: { bytes: new Uint8Array(10) } });
    const stored = (chunk as WireFact & { kind: 'http-chunk' }).data.bytes;
    expect(stored.buffer.byteLength).toBe(10);
  });
});

test('chunks of one body hide a secret between them; bodies do not mix', async () => {
  const secrets = await testSecrets();
  secrets.register('abcdefghijklmnop');
  const { recorder } = await startRecorder({ secrets });
  const chunk = (httpId: string, text: string) => {
    const bytes = utf8.encode(text);
    const event = recorder.record({ kind: 'http-chunk', httpId, offset: 0, data: { bytes } });
    return wordsOf(event);
  };
  expect(chunk('h1', 'see abcd')).toContain('see abcd');
  expect(chunk('h2', 'efghijklmnop')).toContain('efghijklmnop');
  expect(chunk('h1', 'efghijklmnop.')).toContain('************.');
});
