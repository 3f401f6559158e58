import type { ProfileHeader } from '../port/contract.ts';
import type { ClientConfig, FoundServer } from './client-config.ts';
import { isSecretName, toHeader } from './config-headers.ts';
import { isObject, stringOf, type JsonObject } from './json-object.ts';

/** The remotes of a registry's `server.json`, of one in an envelope, or of a page of the registry's list. */
export function registryServers(config: JsonObject): ClientConfig {
  const found: ClientConfig = { servers: [], passedOver: [] };
  const listed = Array.isArray(config['servers']) ? config['servers'] : [config];
  for (const each of listed) {
    const server = isObject(each) && isObject(each['server']) ? each['server'] : each;
    if (!isObject(server)) continue;
    const remotes = Array.isArray(server['remotes']) ? server['remotes'] : [];
    const name = stringOf(server, 'title', 'name') ?? 'A server without a name';
    found.servers.push(...remotes.flatMap((remote) => readRemote(name, remote)));
    if (remotes.length === 0 && Array.isArray(server['packages'])) {
      found.passedOver.push({
        name,
        why: 'It is a package to run on a machine: it names no remote that a browser can reach.',
      });
    }
  }
  return found;
}

function readRemote(name: string, remote: unknown): FoundServer[] {
  const url = stringOf(remote, 'url');
  if (!isObject(remote) || url === undefined) return [];
  const notes: string[] = [];
  const parts = [...url.matchAll(/\{([^{}]+)\}/g)].map(([whole]) => whole);
  if (parts.length > 0) notes.push(`Fill in the URL: ${parts.join(', ')}.`);
  const listed = Array.isArray(remote['headers']) ? remote['headers'] : [];
  return [
    {
      name,
      url,
      transport: stringOf(remote, 'type', 'transport_type') === 'sse' ? 'http-sse' : 'auto',
      headers: listed.flatMap((header) => readHeader(header, notes)),
      notes,
    },
  ];
}

function readHeader(header: unknown, notes: string[]): ProfileHeader[] {
  const name = stringOf(header, 'name');
  if (!isObject(header) || name === undefined) return [];
  const value = stringOf(header, 'value', 'default');
  const secret = header['isSecret'] === true || isSecretName(name);
  if (value !== undefined) {
    // A registry writes the parts to fill in as `{name}`.
    return [{ ...toHeader(name, value.replaceAll(/(^|[^$])\{/g, '$1${'), notes), secret }];
  }
  const isRequired = header['isRequired'] === true;
  const about = stringOf(header, 'description');
  if (isRequired)
    notes.push(`Fill in the header ${name}${about === undefined ? '.' : `: ${about}`}`);
  return [{ name, value: '', secret }];
}
