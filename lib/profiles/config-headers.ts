import type { ProfileHeader } from '../port/contract.ts';
import { headerClass } from '../redact/names.ts';
import { isObject, stringOf } from './json-object.ts';

/** `${input:token}`, `${env:TOKEN}`, `${TOKEN}`: what the client asks its user or its environment for. */
const PLACEHOLDER = /\$\{[^}]*\}|\{\{[^}]*\}\}/;

/** Whether a header names its value as a secret. */
export function isSecretName(name: string): boolean {
  return /^(proxy-)?authorization$|^cookie$/i.test(name) || headerClass(name) !== undefined;
}

/** Headers of a configuration, by name or as a list, with what has to be filled in said in words. */
export function toHeaders(found: unknown): { headers: ProfileHeader[]; notes: string[] } {
  const headers: ProfileHeader[] = [];
  const notes: string[] = [];
  const source = isObject(found) && isObject(found['headers']) ? found['headers'] : found;
  for (const [name, value] of Array.isArray(source) ? listed(source) : entriesOf(source)) {
    if (typeof value === 'string' || typeof value === 'number') {
      headers.push(toHeader(name, String(value), notes));
    } else notes.push(`The value of the header ${name} is no text, so it is left out.`);
  }
  return { headers, notes };
}

function entriesOf(source: unknown): [name: string, value: unknown][] {
  return isObject(source) ? Object.entries(source) : [];
}

/** Headers as texts, as pairs, or as objects with a name and a value. */
function listed(source: unknown[]): [name: string, value: unknown][] {
  return source.flatMap((each): [string, unknown][] => {
    const [, name, value] = typeof each === 'string' ? (/^([^:]+):\s*(.*)$/s.exec(each) ?? []) : [];
    if (name !== undefined) return [[name.trim(), value]];
    if (Array.isArray(each)) return typeof each[0] === 'string' ? [[each[0], each[1]]] : [];
    const key = stringOf(each, 'name', 'key');
    return isObject(each) && key !== undefined ? [[key, each['value']]] : [];
  });
}

/** One header; what a client would put in its value is left for the user to fill in. */
export function toHeader(name: string, value: string, notes: string[]): ProfileHeader {
  const secret = isSecretName(name);
  const placeholder = PLACEHOLDER.exec(value)?.[0];
  if (placeholder === undefined) return { name, value, secret };
  notes.push(`Fill in the header ${name}: its value stands in ${placeholder}.`);
  // What stands around it, such as “Bearer ”, is kept.
  return { name, value: value.replace(PLACEHOLDER, ''), secret };
}
