import { toLine } from '../text.ts';
import type { FoundServer } from './client-config.ts';
import { toHeader } from './config-headers.ts';
import { stringOf, type JsonObject } from './json-object.ts';

/** Programs that speak stdio to a client and HTTP to the server whose URL they are given. */
const BRIDGE = /(^|[/@])(mcp-remote|mcp-proxy|supergateway)(@|$)/;

/** The server behind a bridge, which we reach without it; undefined where the command is none. */
export function bridgedServer(name: string, entry: JsonObject): FoundServer | undefined {
  const args = Array.isArray(entry['args']) ? entry['args'].map(toLine) : [];
  const words = [stringOf(entry, 'command') ?? '', ...args];
  if (!words.some((word) => BRIDGE.test(word))) return undefined;
  const url = words.find((word) => /^https?:\/\//i.test(word));
  if (url === undefined) return undefined;
  const notes = ['Its client reaches it through a bridge, which is not needed here.'];
  const headers = words.flatMap((word, at) => {
    const [, header, value] = /^([\w-]+)\s*:\s*(.*)$/s.exec(words[at + 1] ?? '') ?? [];
    if (!/^(--header|-H)$/.test(word) || header === undefined || value === undefined) return [];
    return [toHeader(header, value, notes)];
  });
  const wantsSse = words.some((word) => /^(sse-only|--sse)$/.test(word));
  return { name, url, transport: wantsSse ? 'http-sse' : 'auto', headers, notes };
}
