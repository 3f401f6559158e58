import { decodeHeaderValue } from '../../protocol/header-value.ts';
import { classifyPayload } from '../../protocol/jsonrpc.ts';
import { modernCall } from '../../protocol/modern-call.ts';
import { isRecord } from '../../record.ts';

type Headers = readonly { name: string; value: string }[];

const MIRRORS = ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'];

/**
 * Where headers that mirror a body (2026-07-28, Streamable HTTP, "Standard Request Headers") say something else than
 * the body, in sentences. It is sent all the same: that may be what the user wants to see.
 */
export function mirrorWarnings(headers: Headers, body: string): string[] {
  const payload = classifyPayload(body);
  const message = payload.kind === 'message' ? payload.message : undefined;
  if (message === undefined || !('method' in message)) return [];
  const value = (name: string) => {
    const found = headers.find((header) => header.name.toLowerCase() === name.toLowerCase());
    return found === undefined ? undefined : (decodeHeaderValue(found.value) ?? found.value);
  };
  const meta = isRecord(message.params) ? message.params['_meta'] : undefined;
  const version = isRecord(meta) ? meta['io.modelcontextprotocol/protocolVersion'] : undefined;
  // A body that names no revision is of an era that mirrors nothing.
  const isModern = typeof version === 'string' || value('Mcp-Method') !== undefined;
  if (!isModern) return [];
  const params = JSON.stringify(message.params ?? {});
  const envelope = { protocolVersion: '', clientInfo: {}, clientCapabilities: {} };
  const { headers: wanted } = modernCall(message.method, params, envelope, () => []);
  return MIRRORS.flatMap((name) => {
    const found = wanted.find((header) => header.name === name);
    const said = found && (decodeHeaderValue(found.value) ?? found.value);
    const isUnsaid = said === undefined || said === '';
    const given = value(name);
    if (given === said || (isUnsaid && given === undefined)) return [];
    if (given === undefined) return [`${name} is missing; the body says “${said}”.`];
    if (isUnsaid) return [`${name} says “${given}”, and the body nothing of the kind.`];
    return [`${name} says “${given}”, but the body “${said}”.`];
  });
}

/**
 * The same for a request whose headers are built from its params: only what the user has written by hand can say
 * something else. `revision` is that of the connection.
 */
export function ownMirrorWarnings(
  method: string,
  paramsText: string,
  headers: Headers,
  revision: string,
): string[] {
  const params = paramsText.trim() === '' ? '{}' : paramsText;
  const said = `{"id":0,"method":${JSON.stringify(method.trim())},"params":${params}}`;
  const isOther = params.includes('protocolVersion') && !params.includes(`"${revision}"`);
  return [
    ...(isOther ? [`The params name another revision than the connection has, ${revision}.`] : []),
    ...(headers.length === 0 ? [] : mirrorWarnings(headers, said)).filter(
      (words) => !words.includes(' is missing; '),
    ),
  ];
}
