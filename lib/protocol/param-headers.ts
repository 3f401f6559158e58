import { isDeeper } from '../json/depth.ts';
import { toLine } from '../text.ts';
import { isRecord } from '../record.ts';
import { encodeHeaderValue } from './header-value.ts';

/** An argument that a tool wants mirrored in a header. */
export interface ParamHeader {
  /** What follows `Mcp-Param-`. */
  name: string;
  /** Property keys from the root of the arguments. */
  path: string[];
}

export type ParamHeaders = { ok: true; headers: ParamHeader[] } | { ok: false; reason: string };

const ANNOTATION = 'x-mcp-header';
/** A token of RFC 9110, 5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** What these hold is data, not schemas. */
const DATA = new Set(['const', 'default', 'enum', 'examples']);
/** A schema that goes deeper is read by no client to its end. */
const LEVELS = 500;
const MIRRORED_TYPES = new Set(['string', 'integer', 'boolean']);

/**
 * Reads the `x-mcp-header` annotations of a tool's input schema. One that breaks a rule makes the whole tool
 * unusable for a client (2026-07-28, server/tools, "x-mcp-header").
 */
export function paramHeadersOf(inputSchema: unknown): ParamHeaders {
  const headers: ParamHeader[] = [];
  const names = new Set<string>();

  if (isDeeper(inputSchema, LEVELS)) {
    return { ok: false, reason: `its input schema is nested in more than ${LEVELS} levels` };
  }

  function visit(schema: unknown, path: string[], isReachable: boolean): string | undefined {
    if (Array.isArray(schema)) return firstReason(schema, (item) => visit(item, path, false));
    if (!isRecord(schema)) return undefined;
    const reason = take(schema, path, isReachable);
    if (reason !== undefined) return reason;
    const parts = Object.entries(schema).filter(([key]) => !DATA.has(key));
    return firstReason(parts, ([key, value]) =>
      key === 'properties' && isRecord(value)
        ? firstReason(Object.entries(value), ([name, property]) =>
            visit(property, [...path, name], isReachable),
          )
        : visit(value, path, false),
    );
  }

  function take(schema: Schema, path: string[], isReachable: boolean): string | undefined {
    if (!Object.hasOwn(schema, ANNOTATION)) return undefined;
    const name = schema[ANNOTATION];
    const at = path.length === 0 ? 'the root' : `“${path.join('.')}”`;
    if (typeof name !== 'string' || name === '')
      return `the header name of ${at} is empty or no text`;
    if (!TOKEN.test(name)) return `“${name}” of ${at} is no header name`;
    if (names.has(name.toLowerCase())) return `the header name “${name}” is used twice`;
    if (!MIRRORED_TYPES.has(toLine(schema['type']))) {
      return `${at} is of type ${JSON.stringify(schema['type'] ?? null)}; only string, integer and boolean can be mirrored`;
    }
    if (!isReachable || path.length === 0) return `${at} cannot be reached by property names alone`;
    names.add(name.toLowerCase());
    headers.push({ name, path });
    return undefined;
  }

  const reason = visit(inputSchema, [], true);
  return reason === undefined ? { ok: true, headers } : { ok: false, reason };
}

/** The headers that mirror the arguments of one call; an argument that is absent or null has none. */
export function mirrorArguments(
  headers: readonly ParamHeader[],
  callArguments: unknown,
): { name: string; value: string }[] {
  const mirrored: { name: string; value: string }[] = [];
  for (const { name, path } of headers) {
    const value = path.reduce<unknown>(
      (object, key) => (isRecord(object) && Object.hasOwn(object, key) ? object[key] : undefined),
      callArguments,
    );
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
      continue;
    mirrored.push({ name: `Mcp-Param-${name}`, value: encodeHeaderValue(String(value)) });
  }
  return mirrored;
}

type Schema = Record<string, unknown>;

function firstReason<Item>(
  items: readonly Item[],
  reasonOf: (item: Item) => string | undefined,
): string | undefined {
  for (const item of items) {
    const reason = reasonOf(item);
    if (reason !== undefined) return reason;
  }
  return undefined;
}
