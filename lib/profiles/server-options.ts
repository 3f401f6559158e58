import type { ServerOptions } from '../port/contract.ts';
import { isObject } from './json-object.ts';

type Check = (value: unknown) => boolean;

const isFlag: Check = (value) => typeof value === 'boolean';
const isText = (value: unknown): value is string => typeof value === 'string';
const isAbove = (value: unknown, least: number): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= least;
const isOneOf = (value: unknown, ...choices: unknown[]) => choices.includes(value);

const CHECKS: Record<keyof ServerOptions, Check> = {
  transport: (value) =>
    isOneOf(value, 'auto', 'modern', 'streamable-http', 'http-sse', 'websocket'),
  messageLimitBytes: (value) => isAbove(value, 1),
  idleTimeoutMs: (value) => isAbove(value, 1),
  cookies: (value) => value === true,
  openStream: isFlag,
  renewSession: isFlag,
  offerRevision: (value) => isText(value) && /^\d{4}-\d{2}-\d{2}$/.test(value),
  originPolicy: (value) =>
    isObject(value) &&
    (isOneOf(value['kind'], 'none', 'extension') ||
      (value['kind'] === 'value' && isText(value['value']))),
  reconnection: (value) =>
    isObject(value) &&
    isAbove(value['initialDelayMs'], 0) &&
    isAbove(value['maxDelayMs'], value['initialDelayMs']) &&
    isAbove(value['factor'], 1) &&
    isAbove(value['retries'], 0),
  answers: (value) =>
    isObject(value) &&
    isOneOf(value['elicitation'], 'ask', 'defaults', 'decline', 'undeclared') &&
    isOneOf(value['sampling'], 'ask', 'refuse', 'undeclared') &&
    (isOneOf(value['roots'], 'ask', 'undeclared') ||
      (Array.isArray(value['roots']) &&
        value['roots'].every((root) => isObject(root) && isText(root['uri'])))),
  client: (value) =>
    isObject(value) &&
    isObject(value['info']) &&
    isText(value['info']['name']) &&
    isText(value['info']['version']) &&
    (value['capabilities'] === undefined || isObject(value['capabilities'])) &&
    Array.isArray(value['omit']) &&
    value['omit'].every(isText),
  auth: (value) =>
    isObject(value) &&
    isOneOf(
      value['grant'],
      'authorization-code',
      'client-credentials',
      'enterprise-managed',
      'workload-identity',
    ) &&
    (value['client'] === undefined || (isObject(value['client']) && isText(value['client']['id']))),
};

/** The options in a value from storage or from a file; what we do not know or cannot take is left out. */
export function readServerOptions(found: unknown): Partial<ServerOptions> {
  if (!isObject(found)) return {};
  const taken = Object.entries(CHECKS).filter(
    ([name, isRight]) => Object.hasOwn(found, name) && isRight(found[name]),
  );
  return Object.fromEntries(taken.map(([name]) => [name, found[name]]));
}
