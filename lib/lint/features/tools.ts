import { paramHeadersOf } from '../../protocol/param-headers.ts';
import { V1, V2, V3, V5 } from '../clause.ts';
import type { Detect, Detectors, MessageFact } from '../facts.ts';
import type { Finding } from '../issue.ts';
import { listedTools } from '../listed-tools.ts';
import { shown } from '../payload.ts';
import { TOO } from '../rules/features.ts';
import { HDR } from '../rules/headers.ts';
import { isRecord } from '../../record.ts';
import type { Memories } from './memory.ts';
import { schemaFault } from './schema-fault.ts';

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

/** Tools by what is wrong with each; one sentence for all of them. */
function faulty(
  fact: MessageFact,
  faultOf: (tool: Record<string, unknown>) => string | undefined,
): { group: string; message: string } | undefined {
  const faults = listedTools(fact).flatMap((tool) => {
    const fault = faultOf(tool);
    return fault === undefined ? [] : [`${shown(tool['name'])}: ${fault}`];
  });
  const [first] = faults;
  if (first === undefined) return undefined;
  const more = faults.length === 1 ? '' : `, and ${faults.length - 1} more`;
  return { group: faults.join(), message: `Of the tool ${first}${more}.` };
}

function inputSchema(fact: MessageFact): Finding | undefined {
  const found = faulty(fact, ({ inputSchema: schema }) => {
    if (!isRecord(schema)) return `the inputSchema is ${shown(schema)}`;
    return schema['type'] === 'object'
      ? undefined
      : `the type of its inputSchema is ${shown(schema['type'])}, not "object"`;
  });
  if (found === undefined) return undefined;
  const advice = 'A tool without arguments has the inputSchema {"type":"object"}.';
  return { rule: TOO.inputSchema, side: 'server', advice, ...found };
}

function schema(fact: MessageFact): Finding | undefined {
  const { revision } = fact;
  const found = faulty(fact, ({ inputSchema: input, outputSchema: output }) => {
    if (revision === V3) {
      return output === undefined || (isRecord(output) && output['type'] === 'object')
        ? undefined
        : `the outputSchema is ${shown(output)}, not one of an object`;
    }
    const isRooted =
      revision === V5 || output === undefined || (isRecord(output) && output['type'] === 'object');
    if (!isRooted) return `the outputSchema is ${shown(output)}, not one of an object`;
    // That it is none at all is said by another rule.
    const ofInput = isRecord(input) ? schemaFault(input) : undefined;
    if (ofInput !== undefined) return `in the inputSchema, ${ofInput}`;
    const ofOutput = output === undefined ? undefined : schemaFault(output);
    return ofOutput === undefined ? undefined : `in the outputSchema, ${ofOutput}`;
  });
  if (found === undefined || revision === V1 || revision === V2) return undefined;
  return {
    rule: TOO.schema,
    side: 'server',
    advice: 'Clients that check schemas leave such a tool out.',
    ...found,
  };
}

function networkRef(fact: MessageFact): Finding | undefined {
  if (fact.revision !== V5) return undefined;
  for (const { name, inputSchema: input, outputSchema: output } of listedTools(fact)) {
    const found = refIn(input) ?? refIn(output);
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

/** Judges definitions of tools, and remembers what results are checked against. */
export function toolDetectors(memories: Memories): Detectors {
  const remember: Detect<MessageFact> = (fact) => {
    const { outputSchemas } = memories(fact.connection);
    for (const { name, outputSchema } of listedTools(fact)) {
      if (typeof name !== 'string') continue;
      if (outputSchema === undefined) outputSchemas.delete(name);
      else outputSchemas.set(name, outputSchema);
    }
    return undefined;
  };
  return { responses: [annotation, toolName, inputSchema, schema, networkRef, remember] };
}
