import { paramHeadersOf } from '../protocol/param-headers.ts';
import { V5 } from './clause.ts';
import type { Detectors, MessageFact } from './facts.ts';
import type { Finding } from './issue.ts';
import { listedTools } from './listed-tools.ts';
import { shown } from './payload.ts';
import { HDR } from './rules/headers.ts';
import { TOO } from './rules/tools.ts';
import { isRecord } from './state.ts';

const NAME = /^[A-Za-z0-9_.-]{1,128}$/;
const SECRET = /passw|secret|token|api[-_]?key|credential/i;
const NETWORK = /^[a-z][a-z0-9+.-]*:\/\//i;

function annotation(fact: MessageFact): Finding | undefined {
  if (fact.revision !== V5) return undefined;
  const faults: string[] = [];
  const secrets: string[] = [];
  for (const { name, inputSchema } of listedTools(fact)) {
    const wanted = paramHeadersOf(inputSchema);
    if (!wanted.ok) faults.push(`${shown(name)}: ${wanted.reason}`);
    for (const { path } of wanted.ok ? wanted.headers : []) {
      if (SECRET.test(path.join('.'))) secrets.push(`“${path.join('.')}” of ${shown(name)}`);
    }
  }
  if (faults.length > 0) {
    return {
      rule: HDR.annotation,
      side: 'server',
      group: faults.join(),
      message: `Clients must leave out ${faults.length === 1 ? 'a tool' : `${faults.length} tools`} because of x-mcp-header. ${faults.join('; ')}.`,
    };
  }
  if (secrets.length === 0) return undefined;
  return {
    rule: HDR.annotation,
    severity: 'warning',
    side: 'server',
    group: secrets.join(),
    message: `The argument ${secrets.join(', ')} looks like a secret, and is mirrored in a header that proxies see.`,
  };
}

function toolName(fact: MessageFact): Finding | undefined {
  const names = listedTools(fact).map(({ name }) => String(name));
  const bad = names.filter((name) => !NAME.test(name));
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  const [first] = [...bad, ...twice];
  if (first === undefined) return undefined;
  return {
    rule: TOO.name,
    side: 'server',
    group: [...bad, ...twice].join(),
    message:
      bad.length > 0
        ? `The tool name ${shown(first)} is not 1 to 128 letters, digits, “_”, “-” and “.”.`
        : `Two tools have the name ${shown(first)}.`,
  };
}

function networkRef(fact: MessageFact): Finding | undefined {
  if (fact.revision !== V5) return undefined;
  for (const { name, inputSchema, outputSchema } of listedTools(fact)) {
    const found = refIn(inputSchema) ?? refIn(outputSchema);
    if (found === undefined) continue;
    return {
      rule: TOO.networkRef,
      side: 'server',
      group: shown(name),
      message: `A schema of the tool ${shown(name)} refers to ${shown(found)}, which clients must not fetch.`,
      advice: 'Put the definition into $defs of the schema itself.',
    };
  }
  return undefined;
}

function refIn(schema: unknown): string | undefined {
  if (Array.isArray(schema)) {
    for (const part of schema) {
      const found = refIn(part);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isRecord(schema)) return undefined;
  const { $ref } = schema;
  if (typeof $ref === 'string' && NETWORK.test($ref)) return $ref;
  return refIn(Object.values(schema));
}

/** Definitions of tools. */
export const TOOL_DETECTORS: Detectors = { message: [annotation, toolName, networkRef] };
