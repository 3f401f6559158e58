import { AppError } from '../errors.ts';
import type { RecentServer } from '../port/contract.ts';
import { readClientConfig, type FoundServer, type PassedOver } from './client-config.ts';
import { isObject, stringOf } from './json-object.ts';
import { readServerOptions } from './server-options.ts';

const FORMAT = 'wirescope-servers';
const VERSION = 1;

/** What a file of servers gives. */
export interface ServersFile {
  servers: RecentServer[];
  passedOver: PassedOver[];
  /** What is to be filled in, by the name of its server. */
  notes: PassedOver[];
}

/** Servers as text that `readServersFile` reads. Values of secrets are not in a list of servers, so none are here. */
export function writeServersFile(servers: readonly RecentServer[]): string {
  const written = servers.map(({ url, name, headers, options }) => ({
    url,
    name,
    headers,
    options,
  }));
  return `${JSON.stringify({ format: FORMAT, version: VERSION, servers: written }, undefined, 2)}\n`;
}

/**
 * Reads our own files, and the configurations of other clients. Throws an `AppError` (`file-invalid`) where the text
 * is neither.
 */
export function readServersFile(text: string): ServersFile {
  const own = readOwn(text);
  if (own !== undefined) return own;
  const { servers, passedOver } = readClientConfig(text);
  return {
    servers: servers.map(toServer),
    passedOver,
    notes: servers.flatMap(({ name, notes }) => notes.map((why) => ({ name, why }))),
  };
}

function readOwn(text: string): ServersFile | undefined {
  if (!text.includes(FORMAT)) return undefined;
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    // It is read once more, as the other formats are, for words on what is wrong.
    return undefined;
  }
  if (!isObject(file) || file['format'] !== FORMAT) return undefined;
  if (file['version'] !== VERSION) {
    throw new AppError({
      code: 'file-invalid',
      message: `This list of servers is of version ${String(file['version'])}, which this Wirescope does not know.`,
      advice: 'Update Wirescope, or export the list again from one of the same version.',
    });
  }
  const servers: RecentServer[] = [];
  const passedOver: PassedOver[] = [];
  const listed = Array.isArray(file['servers']) ? file['servers'] : [];
  for (const [index, entry] of listed.entries()) {
    const url = stringOf(entry, 'url');
    if (!isObject(entry) || url === undefined) {
      passedOver.push({ name: `Entry ${index + 1}`, why: 'It has no URL.' });
      continue;
    }
    const name = stringOf(entry, 'name');
    const headers = Array.isArray(entry['headers']) ? entry['headers'] : [];
    servers.push({
      url,
      usedAt: 0,
      headers: headers.flatMap((header) => readHeader(header)),
      ...(name === undefined ? {} : { name }),
      options: readServerOptions(entry['options']),
    });
  }
  return { servers, passedOver, notes: [] };
}

function readHeader(header: unknown): RecentServer['headers'] {
  const name = stringOf(header, 'name');
  if (!isObject(header) || name === undefined) return [];
  const value = typeof header['value'] === 'string' ? header['value'] : '';
  return [{ name, value, secret: header['secret'] === true }];
}

function toServer({ name, url, transport, headers }: FoundServer): RecentServer {
  return {
    name,
    url,
    headers,
    usedAt: 0,
    ...(transport === 'auto' ? {} : { options: { transport } }),
  };
}
