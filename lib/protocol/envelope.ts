import { member, parseJson, type JsonNode } from '../json/parse.ts';

/** What a modern request says about its sender (2026-07-28, basic/index, "_meta"). */
export interface Envelope {
  protocolVersion: string;
  clientInfo: object;
  clientCapabilities: object;
}

const PREFIX = 'io.modelcontextprotocol/';

/**
 * Puts the envelope into the `_meta` of a request's params. What stands there already stays, to the letter:
 * someone who sets a key by hand wants to see what the server makes of it. Params that are no object are
 * returned as they are.
 */
export function withEnvelope(paramsText: string | undefined, envelope: Partial<Envelope>): string {
  const text = paramsText ?? '{}';
  const parsed = parseJson(text);
  if (!parsed.ok || parsed.root.kind !== 'object') return text;
  const meta = member(parsed.root, '_meta');
  if (meta !== undefined && meta.kind !== 'object') return text;
  const entries = Object.entries({
    [`${PREFIX}protocolVersion`]: envelope.protocolVersion,
    [`${PREFIX}clientInfo`]: envelope.clientInfo,
    [`${PREFIX}clientCapabilities`]: envelope.clientCapabilities,
  }).filter(([key, value]) => value !== undefined && member(meta, key) === undefined);
  if (entries.length === 0) return text;
  const members = entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
  return meta === undefined
    ? insertMember(text, parsed.root, `"_meta":{${members.join(',')}}`)
    : insertMember(text, meta, members.join(','));
}

/** Adds a member in front of all others of an object, without touching them. */
export function insertMember(
  text: string,
  object: JsonNode & { kind: 'object' },
  memberText: string,
): string {
  const at = object.start + 1;
  const separator = object.members.length === 0 ? '' : ',';
  return `${text.slice(0, at)}${memberText}${separator}${text.slice(at)}`;
}

/** Takes out of the `_meta` of params what a sender writes there about itself; all else stays to the letter. */
export function withoutEnvelope(paramsText: string): string {
  let text = paramsText;
  for (const name of ['protocolVersion', 'clientInfo', 'clientCapabilities']) {
    const parsed = parseJson(text);
    const meta = parsed.ok ? member(parsed.root, '_meta') : undefined;
    if (meta?.kind === 'object') text = removeMember(text, meta, `${PREFIX}${name}`);
  }
  return text;
}

/** Takes a member out of an object, every time that it is there, with a comma. What is left keeps its spacing. */
function removeMember(text: string, object: JsonNode & { kind: 'object' }, key: string): string {
  const { members } = object;
  const commas = members.slice(0, -1).map(({ value }) => text.indexOf(',', value.end));
  const kept = members.flatMap(({ key: name }, index) => {
    const part = text.slice(
      (commas[index - 1] ?? object.start) + 1,
      commas[index] ?? object.end - 1,
    );
    return name === key ? [] : [part];
  });
  if (members.length === kept.length) return text;
  return text.slice(0, object.start + 1) + kept.join(',') + text.slice(object.end - 1);
}
