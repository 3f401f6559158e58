import { createByteBuffer } from '../../bytes.ts';
import type { ReplyFacts } from '../../protocol/diagnose.ts';
import { classifyPayload } from '../../protocol/jsonrpc.ts';
import type { Exchange } from './exchange.ts';
import { headerOf } from '../header-of.ts';

const utf8 = new TextDecoder();

/** Enough of a body to say what it is. */
const EXCERPT_BYTES = 64 * 1024;
/** How long a body that nobody needs may keep its connection. */
const EXCERPT_MS = 5000;

/** Chunks, up to a limit. */
export interface Collector {
  /** False once the limit is passed. */
  add(chunk: Uint8Array): boolean;
  /** The text so far; malformed UTF-8 becomes U+FFFD, a leading byte order mark is dropped. */
  text(): string;
}

/** Collects chunks up to a limit, in bytes. */
export function createCollector(limitBytes: number): Collector {
  return new ChunkCollector(limitBytes);
}

class ChunkCollector implements Collector {
  readonly #limitBytes: number;
  readonly #chunks: Uint8Array[] = [];
  #size = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  add(chunk: Uint8Array): boolean {
    this.#size += chunk.length;
    this.#chunks.push(chunk);
    return this.#size <= this.#limitBytes;
  }

  text(): string {
    const [first] = this.#chunks;
    if (this.#chunks.length === 1) return utf8.decode(first);
    const joined = createByteBuffer();
    for (const chunk of this.#chunks) joined.append(chunk);
    return utf8.decode(joined.view());
  }
}

/** Reads as much of an unwanted body as a diagnosis needs, and no more. */
export async function readExcerpt(exchange: Exchange): Promise<string> {
  const collector = createCollector(EXCERPT_BYTES);
  const timer = setTimeout(() => exchange.stop('not-needed'), EXCERPT_MS);
  await exchange.read((chunk) => (collector.add(chunk) ? undefined : 'not-needed'));
  clearTimeout(timer);
  return collector.text();
}

/** The JSON-RPC error that a body holds, if it holds one. */
function rpcErrorIn(text: string): { rpcError?: string; rpcCode?: number } {
  const payload = classifyPayload(text);
  if (payload.kind !== 'message' || payload.message.kind !== 'error') return {};
  const { message, code } = payload.message;
  return { rpcError: message, ...(code === undefined ? {} : { rpcCode: code }) };
}

/** Gathers what a verdict on an answer stands on. */
export function replyFacts(
  exchange: Exchange,
  sent: Pick<ReplyFacts, 'expects' | 'url' | 'sentSession'> & {
    rpcMethod?: string;
    sentOrigin?: string;
  },
  bodyText?: string,
): ReplyFacts {
  const { head } = exchange;
  const value = (name: string) => headerOf(head.headers, name);
  const location = exchange.redirect?.target;
  const allow = value('allow');
  const retryAfter = value('retry-after');
  const challenge = value('www-authenticate');
  return {
    ...sent,
    status: head.status,
    statusText: head.statusText,
    contentType: value('content-type'),
    ...(location === undefined ? {} : { location }),
    ...(allow === undefined ? {} : { allow }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(challenge === undefined ? {} : { challenge }),
    ...(bodyText === undefined ? {} : { bodyText }),
    ...(bodyText === undefined ? {} : rpcErrorIn(bodyText)),
  };
}
