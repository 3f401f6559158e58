import { decodeUtf8 } from '../../text.ts';
import type { PlainRequest } from './copy-curl.ts';

/** Whoever runs `fetch` sets these; some runtimes refuse to be told. */
const OWN =
  /^(?:accept-charset|accept-encoding|connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade|via|proxy-.*|sec-.*)$/;

/** A call of `fetch` that sends the same request, as far as a page may set its headers. */
export function buildFetch({ method, url, headers, body }: PlainRequest): string {
  const sent = headers.filter(({ name }) => !OWN.test(name.toLowerCase()));
  const options = [
    ...(method === 'GET' ? [] : [`"method": ${literal(method)}`]),
    ...(sent.length === 0 ? [] : [`"headers": ${headersLiteral(sent)}`]),
    ...(body === undefined ? [] : [`"body": ${bodyLiteral(body)}`]),
  ];
  if (options.length === 0) return `fetch(${literal(url)});`;
  return `fetch(${literal(url)}, {\n  ${options.join(',\n  ')}\n});`;
}

function headersLiteral(headers: PlainRequest['headers']): string {
  const names = new Set(headers.map(({ name }) => name.toLowerCase()));
  // An object holds a name only once.
  if (names.size === headers.length) {
    const lines = headers.map(({ name, value }) => `${literal(name)}: ${literal(value)}`);
    return `{\n    ${lines.join(',\n    ')}\n  }`;
  }
  const pairs = headers.map(({ name, value }) => `[${literal(name)}, ${literal(value)}]`);
  return `[\n    ${pairs.join(',\n    ')}\n  ]`;
}

function bodyLiteral(body: Uint8Array): string {
  const text = decodeUtf8(body);
  if (text !== undefined) return literal(text);
  return `new Uint8Array([${body.join(', ')}])`;
}

/** What is invisible, or could end a script element, is written as an escape. */
function literal(text: string): string {
  return JSON.stringify(text)
    .replaceAll(/[^\P{C}]|[\p{Zl}\p{Zp}]/gu, (unit) =>
      Array.from({ length: unit.length }, (_, index) => escapeUnit(unit, index)).join(''),
    )
    .replaceAll('</', String.raw`<\/`);
}

function escapeUnit(text: string, index: number): string {
  return `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`;
}
