import type { Header } from '../../capture/store/stored-text.ts';
import { decodeHeaderValue, encodeHeaderValue } from '../../protocol/header-value.ts';
import { MIRRORED_NAME } from '../../protocol/mirrored-name.ts';
import { mirrorArguments } from '../../protocol/param-headers.ts';
import { isRecord } from '../../record.ts';
import { META, metaOf } from '../claims.ts';
import { V5 } from '../clause.ts';
import type { Detectors, MessageFact } from '../facts.ts';
import type { Finding, Rule } from '../issue.ts';
import { shown } from '../payload.ts';
import { HDR } from '../rules/headers.ts';
import { type ConnectionState } from '../state.ts';

const MARKED = /^=\?base64\?.*\?=$/s;

export interface MirrorFault {
  rule: Rule;
  header: string;
  what: string;
  /** A header that mirrors nothing: no server has to refuse that. */
  isSurplus: boolean;
}

interface Expected {
  rule: Rule;
  header: string;
  /** Absent where there must be no such header. */
  value: string | undefined;
}

/** What the headers of a request must say, by its body. */
function expectedOf(
  { tools }: ConnectionState,
  method: string,
  params: Record<string, unknown>,
): Expected[] {
  const version = metaOf(params)[`${META}protocolVersion`];
  const name = params[MIRRORED_NAME[method] ?? ''];
  const rule = HDR.standard;
  const expected: Expected[] = [
    { rule: HDR.modernVersion, header: 'MCP-Protocol-Version', value: text(version) },
    { rule, header: 'Mcp-Method', value: method },
    { rule, header: 'Mcp-Name', value: text(name) },
  ];
  const wanted = method === 'tools/call' ? tools.get(String(name)) : undefined;
  if (wanted?.ok !== true) return expected;
  const mirrored = mirrorArguments(wanted.headers, params['arguments']);
  for (const { name: header } of wanted.headers) {
    const found = mirrored.find((each) => each.name === `Mcp-Param-${header}`);
    const value = found === undefined ? undefined : decodeHeaderValue(found.value);
    expected.push({ rule: HDR.param, header: `Mcp-Param-${header}`, value });
  }
  return expected;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The first header of a modern request that does not say what its body says. */
export function mirrorFault(
  connection: ConnectionState,
  headers: readonly Header[],
  method: string,
  params: Record<string, unknown>,
): MirrorFault | undefined {
  for (const { rule, header, value } of expectedOf(connection, method, params)) {
    const given = headers.find(({ name }) => name.toLowerCase() === header.toLowerCase());
    // Of a secret only the length is known.
    if (given?.cuts !== undefined) continue;
    if (value === undefined) {
      // What mirrors no argument of this tool is nobody's business.
      if (rule !== HDR.param || given === undefined) continue;
      const what = `is ${shown(given.value)}, although the argument is absent or null`;
      return { rule, header, what, isSurplus: true };
    }
    if (given === undefined) {
      return { rule, header, what: `is missing; the body has ${shown(value)}`, isSurplus: false };
    }
    const fault = encodingFault(given.value, value);
    if (fault !== undefined) return { rule: HDR.encoding, header, what: fault, isSurplus: false };
    const decoded = decodeHeaderValue(given.value) ?? given.value;
    const isEqual = decoded === value || (rule === HDR.param && isSameNumber(decoded, value));
    if (isEqual) continue;
    const what = `is ${shown(given.value)}; the body has ${shown(value)}`;
    return { rule, header, what, isSurplus: false };
  }
  return undefined;
}

function isSameNumber(left: string, right: string): boolean {
  return left.trim() !== '' && right.trim() !== '' && Number(left) === Number(right);
}

function encodingFault(raw: string, value: string): string | undefined {
  if (MARKED.test(raw)) {
    // Text that looks like a mark has to be encoded itself.
    if (raw === value) return `is ${shown(raw)} raw, which reads as base64`;
    return decodeHeaderValue(raw) === undefined
      ? `is ${shown(raw)}, which is no base64 of UTF-8`
      : undefined;
  }
  if (/^=\?base64\?/i.test(raw) && encodeHeaderValue(value) !== raw) {
    return `is ${shown(raw)}; the marks are \`=?base64?\` and \`?=\`, in lower case`;
  }
  const isUnsafe = /[^\t\x20-\x7e]/.test(value) || value !== value.trim();
  return isUnsafe && raw.trim() === value.trim()
    ? `carries ${shown(value)} raw; a header needs it as base64`
    : undefined;
}

function mirrored(fact: MessageFact): Finding | undefined {
  const { shape, direction, revision, exchange, members, method, connection } = fact;
  const headers = exchange.record?.request.headers;
  if (shape !== 'request' || direction === 'incoming' || revision !== V5) return undefined;
  if (headers === undefined || method === undefined) return undefined;
  const params = members?.['params'];
  const fault = mirrorFault(connection, headers, method, isRecord(params) ? params : {});
  if (fault === undefined) return undefined;
  return {
    rule: fault.rule,
    side: 'client',
    group: `${method} ${fault.header}`,
    message: `The header ${fault.header} of \`${method}\` ${fault.what}.`,
  };
}

/** Headers that mirror the body of a modern request. */
export const MIRROR_DETECTORS: Detectors = { message: [mirrored] };
