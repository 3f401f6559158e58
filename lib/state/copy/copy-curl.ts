import { decodeUtf8 } from '../../text.ts';

/** An HTTP request as it is to be sent again. */
export interface PlainRequest {
  method: string;
  url: string;
  /** In the order of the wire. */
  headers: readonly { name: string; value: string }[];
  body?: Uint8Array;
}

/** Set by curl itself: what was recorded may not fit what is sent. */
const OWN = new Set(['content-length', 'transfer-encoding']);
/** Sent by curl unasked, where nothing else is said. */
const UNASKED = ['User-Agent', 'Accept'];
/** Linux takes no argument of 128 KiB. */
const ARGUMENT_BYTES = 100_000;
/** From this size on curl asks before it sends a body. */
const EXPECT_BYTES = 1024 * 1024;

/** Anything that a terminal acts upon, or that looks like nothing: a line end alone can be pasted safely. */
const UNSAFE = /[^\n\P{C}]|[\p{Zl}\p{Zp}]/u;

/**
 * A command for any POSIX shell that sends the same request: method, URL, headers in their order, every byte of
 * the body. `$'…'` would be shorter for control bytes, but not every `sh` knows it, and it holds no NUL; `printf`
 * does both.
 */
export function buildCurl({ method, url, headers, body }: PlainRequest): string {
  const sent = headers.filter(({ name, value }) => !isOwn(name, value, url));
  const names = new Set(sent.map(({ name }) => name.toLowerCase()));
  const withBody = body ?? (method === 'POST' || method === 'PUT' ? new Uint8Array() : undefined);
  const unasked = UNASKED.filter((name) => !names.has(name.toLowerCase()));
  if (withBody !== undefined && !names.has('content-type')) unasked.push('Content-Type');
  if ((withBody?.length ?? 0) >= EXPECT_BYTES) unasked.push('Expect');
  const payload = withBody === undefined ? undefined : bodyArgument(withBody);
  const parts = [
    `${payload?.pipe ?? ''}curl ${methodArgument(method, withBody !== undefined)}${quote(url)}`,
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
    ...sent.map(({ name, value }) => `-H ${headerArgument(name, value)}`),
    ...unasked.map((name) => `-H '${name}:'`),
    ...(names.has('accept-encoding') ? ['--compressed'] : []),
    ...(isStream(sent) ? ['--no-buffer'] : []),
    ...(payload === undefined ? [] : [payload.argument]),
  ];
  return parts.join(' \\\n  ');
}

function isOwn(name: string, value: string, url: string): boolean {
  const lower = name.toLowerCase();
  return OWN.has(lower) || (lower === 'host' && value === URL.parse(url)?.host);
}

/** Without it, events of a stream wait in curl's buffer. */
function isStream(headers: PlainRequest['headers']): boolean {
  return headers.some(
    ({ name, value }) => name.toLowerCase() === 'accept' && value.includes('text/event-stream'),
  );
}

function methodArgument(method: string, hasBody: boolean): string {
  if (method === (hasBody ? 'POST' : 'GET')) return '';
  return method === 'HEAD' ? '--head ' : `-X ${quote(method)} `;
}

/** A header is bytes; as text each of them is one character. */
function headerArgument(name: string, value: string): string {
  // curl leaves a header out that has a colon and no value.
  const line = value === '' ? `${name};` : `${name}: ${value}`;
  if (/^[ -~]*$/.test(line)) return quote(line);
  const isBytes = /^[\0-\u00ff]*$/.test(line);
  const bytes = isBytes
    ? Uint8Array.from(line, (unit) => unit.charCodeAt(0))
    : new TextEncoder().encode(line);
  return `"$(printf ${formatOf(bytes)})"`;
}

function bodyArgument(body: Uint8Array): { pipe: string; argument: string } {
  const text = decodeUtf8(body);
  if (text === undefined || UNSAFE.test(text)) {
    return { pipe: `printf ${formatOf(body)} | `, argument: '--data-binary @-' };
  }
  if (body.length > ARGUMENT_BYTES) {
    return { pipe: `printf '%s' ${quote(text)} | `, argument: '--data-binary @-' };
  }
  return { pipe: '', argument: `--data-raw ${quote(text)}` };
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

const ESCAPES: Record<number, string> = { 0x0a: String.raw`\n`, 0x25: '%%', 0x5c: '\\\\' };

/** The format that makes `printf` write these bytes. */
function formatOf(bytes: Uint8Array): string {
  let format = '';
  for (const [index, byte] of bytes.entries()) {
    const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x27;
    // At its beginning a dash would make it an option.
    const isDash = index === 0 && byte === 0x2d;
    const plain = ESCAPES[byte] ?? (isPlain && !isDash ? String.fromCharCode(byte) : undefined);
    format += plain ?? `\\${byte.toString(8).padStart(3, '0')}`;
  }
  return `'${format}'`;
}
