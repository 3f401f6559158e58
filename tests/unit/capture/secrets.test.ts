import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  joinCuts,
  openSecrets,
  type HeldSecrets,
  type SplitSecret,
} from '../../../lib/capture/secrets.ts';
import type { Cut } from '../../../lib/capture/store/stored-text.ts';
import { testSecrets } from '../../support/builders.ts';

const utf8 = new TextEncoder();
const latin1 = new TextDecoder('latin1');
const TELLING = 6;

/** Letters of secrets and of what stands between them are apart, so no piece is there by chance. */
const secretText = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnop0123456789-_.+/=~"\\'.split('')),
  minLength: 8,
  maxLength: 40,
});
const filler = fc.string({ unit: fc.constantFrom(...'XYZ {}\n:,'.split('')), maxLength: 30 });

/** A body that holds secrets between other things, and where to cut it. */
const body = fc
  .tuple(fc.uniqueArray(secretText, { minLength: 1, maxLength: 4 }), fc.infiniteStream(fc.nat()))
  .chain(([secrets]) =>
    fc.record({
      secrets: fc.constant(secrets),
      parts: fc.array(fc.oneof(filler, fc.constantFrom(...secrets)), { maxLength: 12 }),
      cutsAt: fc.array(fc.nat({ max: 400 }), { maxLength: 12 }),
      isDrip: fc.boolean(),
    }),
  );

function cutUp(bytes: Uint8Array, cutsAt: number[], isDrip: boolean): Uint8Array[] {
  const places = isDrip
    ? [...bytes.keys()]
    : cutsAt.map((at) => at % (bytes.length + 1)).sort((a, b) => a - b);
  const edges = [0, ...places, bytes.length];
  return edges.slice(1).map((edge, index) => bytes.slice(edges[index], edge));
}

/** Every run of `TELLING` or more characters of a secret that a text shows; secrets that merge count as one. */
function exposed(text: string, secrets: string[]): string[] {
  return secrets.flatMap((secret) =>
    Array.from({ length: secret.length - TELLING + 1 }, (_, at) =>
      secret.slice(at, at + TELLING),
    ).filter((piece) => text.includes(piece)),
  );
}

function joinBack(
  bytes: Uint8Array,
  cuts: Cut[] = [],
  reveal: (secret: string) => string | undefined,
): Uint8Array {
  const joined = bytes.slice();
  for (const { offset, length, secret, from } of cuts) {
    joined.set(utf8.encode(reveal(secret)).subarray(from, from + length), offset);
  }
  return joined;
}

describe('bodies', () => {
  test('show no piece of a secret, however they are cut, and can be joined back', async () => {
    await fc.assert(
      fc.asyncProperty(body, async ({ secrets: values, parts, cutsAt, isDrip }) => {
        const secrets = await testSecrets();
        for (const value of values) secrets.register(value);
        const whole = utf8.encode(parts.join(''));
        let split: SplitSecret[] | undefined;
        const masked: Uint8Array[] = [];
        for (const chunk of cutUp(whole, cutsAt, isDrip)) {
          const result = secrets.maskChunk(chunk, split);
          split = result.split;
          masked.push(result.bytes);
          expect(result.bytes.length).toBe(chunk.length);
          expect(joinBack(result.bytes, result.cuts, secrets.reveal)).toEqual(chunk);
          expect(exposed(latin1.decode(result.bytes), values)).toEqual([]);
          let end = 0;
          for (const cut of result.cuts ?? []) {
            expect(cut.offset).toBeGreaterThanOrEqual(end);
            end = cut.offset + cut.length;
            expect(latin1.decode(result.bytes.subarray(cut.offset, end))).toBe(
              '*'.repeat(cut.length),
            );
          }
          expect(end).toBeLessThanOrEqual(chunk.length);
        }
        expect(exposed(latin1.decode(Buffer.concat(masked)), values)).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  test.each([1, 2, 3, 5, 7])('mask a secret that comes in pieces of %i bytes', async (size) => {
    const secrets = await testSecrets();
    secrets.register('abcdefghijklmnopqrst');
    const whole = utf8.encode('{"t":"abcdefghijklmnopqrst"}');
    let split: SplitSecret[] | undefined;
    let shown = '';
    for (let at = 0; at < whole.length; at += size) {
      const result = secrets.maskChunk(whole.slice(at, at + size), split);
      split = result.split;
      shown += latin1.decode(result.bytes);
    }
    expect(exposed(shown, ['abcdefghijklmnopqrst'])).toEqual([]);
    expect(shown).toMatch(/^\{"t":"[a-e]{0,5}\*+"\}$/);
    expect(shown.length).toBe(whole.length);
  });

  test('mask every one of overlapping secrets to its end', async () => {
    const secrets = await testSecrets();
    secrets.register('aaaa1111bbbb2222');
    secrets.register('bbbb2222cccc3333dddd');
    const { bytes, cuts } = secrets.maskChunk(utf8.encode('X aaaa1111bbbb2222cccc3333dddd Y'));
    expect(latin1.decode(bytes)).toBe(`X ${'*'.repeat(28)} Y`);
    expect(cuts).toHaveLength(2);
    expect(latin1.decode(joinBack(bytes, cuts, secrets.reveal))).toBe(
      'X aaaa1111bbbb2222cccc3333dddd Y',
    );
  });

  test('mask a secret that overlaps itself', async () => {
    const secrets = await testSecrets();
    secrets.register('xyxyxyxyxyxyxyxy');
    const { bytes } = secrets.maskChunk(utf8.encode('Q' + 'xy'.repeat(13) + 'Q'));
    expect(latin1.decode(bytes)).toBe(`Q${'*'.repeat(26)}Q`);
  });

  test('mask a secret inside a longer one as the longer one', async () => {
    const secrets = await testSecrets();
    secrets.register('inner-secret');
    const outer = secrets.register('prefix-inner-secret-suffix');
    const { cuts } = secrets.maskChunk(utf8.encode('prefix-inner-secret-suffix'));
    expect(cuts).toEqual([{ offset: 0, length: 26, secret: outer, from: 0 }]);
  });

  test('leave what only begins like a secret to be read back', async () => {
    const secrets = await testSecrets();
    secrets.register('sk-live-0123456789');
    const first = secrets.maskChunk(utf8.encode('see sk-live-'));
    const second = secrets.maskChunk(utf8.encode('xyz sk-live-0123456789'), first.split);
    expect(latin1.decode(second.bytes)).toBe(`xyz ${'*'.repeat(18)}`);
    expect(latin1.decode(joinBack(first.bytes, first.cuts, secrets.reveal))).toBe('see sk-live-');
  });

  test('mask secrets with characters beyond ASCII', async () => {
    const secrets = await testSecrets();
    secrets.register('pässwörd-ünïcode');
    const whole = utf8.encode('{"p":"pässwörd-ünïcode"}');
    const { bytes, cuts } = secrets.maskChunk(whole);
    expect(new TextDecoder().decode(bytes)).toMatch(/^\{"p":"\*+"\}$/);
    expect(bytes.length).toBe(whole.length);
    expect(joinBack(bytes, cuts, secrets.reveal)).toEqual(whole);
  });

  test.each([
    ['JSON', JSON.stringify('a"b\\c/d+e=f g')],
    ['JSON with escaped slashes', JSON.stringify('a"b\\c/d+e=f g').replaceAll('/', '\\/')],
    ['a URL', encodeURIComponent('a"b\\c/d+e=f g')],
    [
      'a URL in lower case',
      encodeURIComponent('a"b\\c/d+e=f g').replaceAll(/%../g, (hex) => hex.toLowerCase()),
    ],
    ['a form', new URLSearchParams({ t: 'a"b\\c/d+e=f g' }).toString().slice(2)],
  ])('mask the spelling of a secret in %s', async (_where, spelling) => {
    const secrets = await testSecrets();
    secrets.register('a"b\\c/d+e=f g');
    const { bytes, cuts } = secrets.maskChunk(utf8.encode(`X${spelling}X`));
    expect(latin1.decode(bytes)).not.toMatch(/[a-g]/);
    expect(latin1.decode(joinBack(bytes, cuts, secrets.reveal))).toBe(`X${spelling}X`);
  });

  test('do not copy what holds no secret', async () => {
    const secrets = await testSecrets();
    secrets.register('0123456789abcdef');
    const bytes = utf8.encode('nothing to see');
    expect(secrets.maskChunk(bytes)).toEqual({ bytes });
    expect(secrets.maskChunk(bytes).bytes).toBe(bytes);
  });

  test('take time in proportion to their length, long secrets included', async () => {
    const secrets = await testSecrets();
    secrets.register('a'.repeat(16_000));
    const chunk = utf8.encode('a'.repeat(15_000) + 'X');
    const started = process.cpuUsage();
    let split: SplitSecret[] | undefined;
    for (let turn = 0; turn < 100; turn += 1) split = secrets.maskChunk(chunk, split).split;
    // Quadratic work takes minutes; linear work a few milliseconds.
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(3000);
  });
});

describe('headers', () => {
  test('keep the scheme of an authorization visible', async () => {
    const secrets = await testSecrets();
    const header = secrets.maskHeader({ name: 'Authorization', value: 'Bearer tok' });
    expect(header).toMatchObject({
      value: 'Bearer ***',
      cuts: [{ offset: 7, length: 3, from: 0 }],
    });
    expect(secrets.reveal(header.cuts![0]!.secret)).toBe('tok');
    const digest = secrets.maskHeader({ name: 'proxy-authorization', value: 'Basic  dXNlcg==' });
    expect(digest.value).toBe('Basic  ********');
  });

  test.each(['Cookie', 'set-cookie'])('mask %s whole', async (name) => {
    const secrets = await testSecrets();
    expect(secrets.maskHeader({ name, value: 'a b' }).value).toBe('***');
  });

  test('mask a session id but for what it must not hold', async () => {
    const secrets = await testSecrets();
    const { value, cuts } = secrets.maskHeader({ name: 'MCP-Session-ID', value: 'a bé' });
    expect(value).toBe('* *é');
    expect(joinCuts({ text: value, cuts: cuts! }, secrets.reveal)).toBe('a bé');
  });

  test('make secrets of what they hold: values of cookies, and a login', async () => {
    const secrets = await testSecrets();
    const login = Buffer.from('user:correct-horse').toString('base64');
    secrets.maskHeader({ name: 'Cookie', value: 'a=cookie-one; b=cookie=two' });
    secrets.maskHeader({
      name: 'Set-Cookie',
      value: 'sid=cookie-three; Path=/somewhere; HttpOnly',
    });
    secrets.maskHeader({ name: 'Authorization', value: `Basic ${login}` });
    for (const value of ['cookie-one', 'cookie=two', 'cookie-three', 'correct-horse']) {
      expect(secrets.maskText(`<${value}>`).text).toBe(`<${'*'.repeat(value.length)}>`);
    }
    expect(secrets.maskText('/somewhere').text).toBe('/somewhere');
    secrets.maskHeader({ name: 'Authorization', value: 'Basic %%%' });
  });

  test('mask a header that the profile marks, in any case, however short', async () => {
    const secrets = await testSecrets();
    const header = { name: 'X-Api-Key', value: 'k1' };
    expect(secrets.maskHeader(header)).toBe(header);
    secrets.markHeader('x-api-KEY');
    expect(secrets.maskHeader(header).value).toBe('**');
  });

  test('mask a known secret in any other header', async () => {
    const secrets = await testSecrets();
    secrets.register('0123456789');
    expect(secrets.maskHeader({ name: 'X-Echo', value: 'is 0123456789.' }).value).toBe(
      `is ${'*'.repeat(10)}.`,
    );
  });

  test('hold an empty value for what it is', async () => {
    const secrets = await testSecrets();
    const header = { name: 'Authorization', value: '' };
    expect(secrets.maskHeader(header)).toBe(header);
  });
});

describe('URLs', () => {
  test('lose the values of secret parameters, however short or spelt', async () => {
    const secrets = await testSecrets();
    const url = 'https://h/mcp?api_key=k1&page=12&access%5Ftoken=a%2fb+c&x=y#f';
    const { text, cuts } = secrets.maskUrl(url);
    expect(text).toBe('https://h/mcp?api_key=**&page=12&access%5Ftoken=*******&x=y#f');
    expect(cuts!.map((cut) => secrets.reveal(cut.secret))).toEqual(['k1', 'a%2fb+c']);
  });

  test.each(['code', 'jwt', 'sid', 'pwd', 'X-Amz-Credential', 'subscription-key'])(
    'lose the value of `%s`',
    async (name) => {
      const { maskUrl } = await testSecrets();
      expect(maskUrl(`https://h/mcp?${name}=abc&encode=1`).text).toBe(
        `https://h/mcp?${name}=***&encode=1`,
      );
    },
  );

  test('lose them inside a sentence too', async () => {
    const secrets = await testSecrets();
    expect(secrets.maskUrl('From http://h/?key=abc to http://h/?token=def (308).').text).toBe(
      'From http://h/?key=*** to http://h/?token=*** (308).',
    );
  });

  test('lose a known secret anywhere', async () => {
    const secrets = await testSecrets();
    secrets.register('0123456789');
    expect(secrets.maskUrl('https://h/0123456789/mcp').text).toBe('https://h/**********/mcp');
  });
});

describe('fingerprints', () => {
  test('are equal for equal secrets and differ for others', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 60 }),
        async (values) => {
          const secrets = await testSecrets({ salt: 7, values: {} });
          const first = values.map((value) => secrets.register(value));
          expect(values.map((value) => secrets.register(value))).toEqual(first);
          expect(new Set(first).size).toBe(values.length);
          expect(first.map((fingerprint) => secrets.reveal(fingerprint))).toEqual(values);
        },
      ),
      { numRuns: 50 },
    );
  });

  test('are four hex digits, and differ from one salt to the next', async () => {
    const prints = await Promise.all(
      [1, 2, 3, 4].map(async (salt) =>
        (await testSecrets({ salt, values: {} })).register('secret'),
      ),
    );
    for (const print of prints) expect(print).toMatch(/^[0-9a-f]{4}$/);
    expect(new Set(prints).size).toBeGreaterThan(1);
  });

  test('outlive a restart of the worker through the keeper', async () => {
    let kept: HeldSecrets | undefined;
    const keeper = {
      load: () => Promise.resolve(structuredClone(kept)),
      save: (held: HeldSecrets) => void (kept = structuredClone(held)),
    };
    const before = await openSecrets(keeper);
    const fingerprint = before.register('tok/en+with=signs');
    const after = await openSecrets(keeper);
    expect(after.reveal(fingerprint)).toBe('tok/en+with=signs');
    expect(after.register('tok/en+with=signs')).toBe(fingerprint);
    expect(after.maskText(encodeURIComponent('tok/en+with=signs')).text).toMatch(/^\*+$/);
  });

  test('take a value that cannot be spelt in a URL', async () => {
    const secrets = await testSecrets();
    const fingerprint = secrets.register('lone \ud800 surrogate');
    expect(secrets.reveal(fingerprint)).toBe('lone \ud800 surrogate');
  });
});
