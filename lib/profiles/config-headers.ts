import type { ProfileHeader } from '../port/contract.ts';
import { headerClass } from '../redact/names.ts';
import { isObject } from './json-object.ts';

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
  for (const [name, value] of Object.entries(isObject(source) ? source : {})) {
    if (typeof value === 'string') headers.push(toHeader(name, value, notes));
    else notes.push(`The value of the header ${name} is no text, so it is left out.`);
  }
  return { headers, notes };
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
