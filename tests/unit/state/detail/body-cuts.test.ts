import { expect, test } from 'vitest';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import { messageText } from '../../../../lib/capture/correlate/http-record.ts';
import type { MessageRef } from '../../../../lib/capture/correlate/items.ts';
import { openSecrets } from '../../../../lib/capture/secrets.ts';
import type { Secrets, SplitSecret } from '../../../../lib/capture/secrets.ts';
import type { StoredBytes } from '../../../../lib/capture/store/stored-text.ts';
import { messageCuts, spanTextCuts } from '../../../../lib/state/detail/body-cuts.ts';
import { secretPart, toSecretPieces } from '../../../../lib/state/detail/secrets.ts';
import { LogBuilder } from '../log-builder.ts';

const SECRET = 'geheim-ü-🦊-token';
const encoder = new TextEncoder();

/** Bytes as the recorder would store them, chunk by chunk. */
function mask(secrets: Secrets, chunks: Uint8Array[]): StoredBytes[] {
  let split: SplitSecret[] | undefined;
  return chunks.map((chunk) => {
    const { bytes, cuts, split: next } = secrets.maskChunk(chunk, split);
    split = next;
    return { bytes, ...(cuts === undefined ? {} : { cuts }) };
  });
}

/** A text with its secrets joined back, and with their fingerprints instead. */
function readBoth(secrets: Secrets, text: string, cuts: ReturnType<typeof messageCuts>) {
  const pieces = toSecretPieces(text, cuts);
  const revealed = pieces.map((piece) =>
    piece.kind === 'plain'
      ? piece.text
      : secretPart(secrets.reveal(piece.fingerprint) ?? '', piece, 'bytes'),
  );
  const masked = pieces.map((piece) =>
    piece.kind === 'plain' ? piece.text : `‹${piece.fingerprint}›`,
  );
  return { revealed: revealed.join(''), masked: masked.join('') };
}

async function held() {
  const secrets = await openSecrets({ load: async () => undefined, save: () => undefined });
  return { secrets, fingerprint: secrets.register(SECRET) };
}

test('a secret in a request body is one chip, and comes back whole', async () => {
  const { secrets, fingerprint } = await held();
  const body = `{"jsonrpc":"2.0","id":1,"method":"x","params":{"ä":"${SECRET}","b":"ö"}}`;
  const log = new LogBuilder();
  const [stored] = mask(secrets, [encoder.encode(body)]);
  log.add({
    kind: 'http-request',
    httpId: 'h1',
    purpose: 'message',
    method: 'POST',
    url: { text: 'http://127.0.0.1:3001/mcp' },
    headers: [],
    body: stored!,
    links: {},
  });
  const correlation = createCorrelation();
  correlation.apply(log.take());
  const ref: MessageRef = { in: 'request', httpId: 'h1' };
  const text = messageText(correlation.https, ref) ?? '';
  expect(text).not.toContain('token');
  const read = readBoth(secrets, text, messageCuts(correlation.https, ref));
  expect(read.revealed).toBe(body);
  expect(read.masked).toBe(body.replace(SECRET, `‹${fingerprint}›`));
});

test.each([0, 8, 11, 14, 20, 33])(
  'a secret that two chunks split after byte %i is one chip all the same',
  async (splitAt) => {
    const { secrets, fingerprint } = await held();
    const line = `{"jsonrpc":"2.0","method":"ü","params":{"text":"${SECRET} and ${SECRET}"}}`;
    const block = `data: ${line}\n\n`;
    const bytes = encoder.encode(block);
    const at = encoder.encode(block.slice(0, block.indexOf(SECRET))).length + splitAt;
    const chunks = mask(secrets, [bytes.slice(0, at), bytes.slice(at)]);
    const log = new LogBuilder();
    const httpId = log.stream();
    log.head(httpId, 200, 'text/event-stream');
    log.add({ kind: 'http-chunk', httpId, offset: 0, data: chunks[0]! });
    log.add({ kind: 'http-chunk', httpId, offset: at, data: chunks[1]! });
    const data = { offset: 6, length: bytes.length - 8 };
    const whole = { offset: 0, length: bytes.length };
    log.add({ kind: 'sse-event', httpId, block: whole, data: [data] });
    const correlation = createCorrelation();
    correlation.apply(log.take());
    const record = correlation.https.get(httpId)!;
    const ref: MessageRef = { in: 'event', httpId, sequence: record.stream[0]!.sequence };
    const text = messageText(correlation.https, ref) ?? '';
    const read = readBoth(secrets, text, messageCuts(correlation.https, ref));
    expect(read.revealed).toBe(line);
    expect(read.masked).toBe(line.replaceAll(SECRET, `‹${fingerprint}›`));
    const body: MessageRef = { in: 'body', httpId };
    const all = messageText(correlation.https, body) ?? '';
    expect(readBoth(secrets, all, messageCuts(correlation.https, body)).revealed).toBe(block);
    expect(spanTextCuts(record, { offset: 0, length: 5 })).toEqual([]);
  },
);

test('data lines of one event have their secrets where the joined text has them', async () => {
  const { secrets } = await held();
  const block = `data: ["ü",\ndata: "${SECRET}"]\n\n`;
  const bytes = encoder.encode(block);
  const [stored] = mask(secrets, [bytes]);
  const log = new LogBuilder();
  const httpId = log.stream();
  log.head(httpId, 200, 'text/event-stream');
  log.add({ kind: 'http-chunk', httpId, offset: 0, data: stored! });
  const first = encoder.encode('["ü",').length;
  const second = encoder.encode(`"${SECRET}"]`).length;
  log.add({
    kind: 'sse-event',
    httpId,
    block: { offset: 0, length: bytes.length },
    data: [
      { offset: 6, length: first },
      { offset: 6 + first + 7, length: second },
    ],
  });
  const correlation = createCorrelation();
  correlation.apply(log.take());
  const record = correlation.https.get(httpId)!;
  const ref: MessageRef = { in: 'event', httpId, sequence: record.stream[0]!.sequence };
  const text = messageText(correlation.https, ref) ?? '';
  const read = readBoth(secrets, text, messageCuts(correlation.https, ref));
  expect(read.revealed).toBe(`["ü",\n"${SECRET}"]`);
});
