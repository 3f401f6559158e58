import { isRecord } from '../record.ts';
import { withEnvelope, type Envelope } from './envelope.ts';
import { encodeHeaderValue } from './header-value.ts';
import { MIRRORED_NAME } from './mirrored-name.ts';
import { mirrorArguments, type ParamHeader } from './param-headers.ts';

/** A request as the modern era writes it. */
export interface ModernCall {
  paramsText: string;
  /** `MCP-Protocol-Version` and the mirrored headers (Streamable HTTP, "Standard Request Headers"). */
  headers: { name: string; value: string }[];
}

/**
 * Writes a request of the modern era: the envelope in its `_meta`, and the headers that mirror it.
 * `paramHeaders` tells what a tool wants mirrored. What is no JSON object stays as it is, and mirrors nothing.
 */
export function modernCall(
  method: string,
  given: string | undefined,
  envelope: Envelope,
  paramHeaders: (tool: string) => readonly ParamHeader[],
): ModernCall {
  const paramsText = withEnvelope(given, envelope);
  const params = parsed(paramsText);
  // The body is the source of truth, also where somebody wrote another version into it.
  const meta = isRecord(params['_meta']) ? params['_meta'] : {};
  const version = meta['io.modelcontextprotocol/protocolVersion'];
  const headers = [
    {
      name: 'MCP-Protocol-Version',
      value: typeof version === 'string' ? encodeHeaderValue(version) : envelope.protocolVersion,
    },
    { name: 'Mcp-Method', value: encodeHeaderValue(method) },
  ];
  const name = params[MIRRORED_NAME[method] ?? ''];
  if (typeof name === 'string') headers.push({ name: 'Mcp-Name', value: encodeHeaderValue(name) });
  if (method === 'tools/call' && typeof name === 'string') {
    headers.push(...mirrorArguments(paramHeaders(name), params['arguments']));
  }
  return { paramsText, headers };
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text, keepDigits);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** A header has the digits of a number that JavaScript would round. */
function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER
    ? (context?.source ?? value)
    : value;
}
