import type { TransportChoice } from '../capture/store/stored-profile.ts';
import { parseJson } from '../json/parse.ts';
import { plainJson } from '../json/jsonc.ts';
import { AppError } from '../errors.ts';
import type { ProfileHeader } from '../port/contract.ts';
import { bridgedServer } from './bridged-server.ts';
import { isObject, stringOf, type JsonObject } from './json-object.ts';
import { registryServers } from './registry-server.ts';
import { toHeader, toHeaders } from './config-headers.ts';

/** A server as the configuration of a client names it. */
export interface FoundServer {
  name: string;
  url: string;
  transport: TransportChoice;
  headers: ProfileHeader[];
  /** What is to be filled in or was put right, in words. */
  notes: string[];
}

/** What a configuration names besides, and why we cannot connect to it. */
export interface PassedOver {
  name: string;
  why: string;
}

export interface ClientConfig {
  servers: FoundServer[];
  passedOver: PassedOver[];
}

/** Where clients keep their servers: by name in an object. */
const PLACES = ['mcpServers', 'servers', 'context_servers', 'mcp_servers'] as const;

/**
 * Reads the servers out of the configuration of another client: `mcpServers` (Claude, Cursor, Windsurf, Cline and
 * others), `servers` (VS Code, with comments), `context_servers` (Zed), and a registry's `server.json`. Rejects
 * nothing for one entry; throws an `AppError` (`file-invalid`) where the text is no JSON or names no servers.
 */
export function readClientConfig(text: string): ClientConfig {
  const config = parseConfig(text);
  const found: ClientConfig = { servers: [], passedOver: [] };
  for (const [name, entry] of namedEntries(config)) {
    const server = readEntry(name, entry);
    if ('why' in server) found.passedOver.push(server);
    else found.servers.push(server);
  }
  const listed = registryServers(config);
  found.servers.push(...listed.servers);
  found.passedOver.push(...listed.passedOver);
  if (found.servers.length + found.passedOver.length > 0) return found;
  throw new AppError({
    code: 'file-invalid',
    message: 'This names no MCP servers.',
    advice:
      'It should be JSON with “mcpServers” (Claude, Cursor and others), “servers” (VS Code), or a registry’s server.json with “remotes”.',
  });
}

function parseConfig(text: string): JsonObject {
  const plain = plainJson(text.replace(/^\uFEFF/, ''));
  const parsed = parseJson(plain);
  if (!parsed.ok) {
    const isToml = /^\s*\[[\w.-]+\]\s*$/m.test(text) && !text.trimStart().startsWith('{');
    throw new AppError({
      code: 'file-invalid',
      message: `This is not JSON: ${parsed.message} (line ${parsed.line}, column ${parsed.column}).`,
      advice: isToml
        ? 'It looks like TOML, which is not read. Type the URL of the server instead.'
        : 'Take the whole file, from its first brace to its last.',
    });
  }
  const value: unknown = JSON.parse(plain);
  return isObject(value) ? value : {};
}

/** Entries by name, wherever the client keeps them; VS Code's settings have them under `mcp`. */
function namedEntries(config: JsonObject): [name: string, entry: unknown][] {
  const roots = [config, config['mcp'], config['projects']].filter((root) => isObject(root));
  // Claude Code keeps servers by project.
  const projects = Object.values(config['projects'] ?? {}).filter((each) => isObject(each));
  const found = [...roots, ...projects].flatMap((root) =>
    // A list of `servers` is that of a registry.
    PLACES.flatMap((place) =>
      place === 'servers' && Array.isArray(root[place]) ? [] : namedIn(root[place]),
    ),
  );
  // OpenCode and Crush have no name for the whole.
  return found.length > 0 ? found : namedIn(config['mcp']);
}

/** By name in an object, or in a list of entries that name themselves, as programs write them. */
function namedIn(entries: unknown): [name: string, entry: unknown][] {
  if (isObject(entries)) return Object.entries(entries);
  const list: unknown[] = Array.isArray(entries) ? entries : [];
  return list.map((entry, index) => [
    stringOf(entry, 'name', 'server_label', 'label') ?? `Server ${index + 1}`,
    entry,
  ]);
}

function readEntry(name: string, entry: unknown): FoundServer | PassedOver {
  if (!isObject(entry)) return { name, why: 'Its entry is no object.' };
  const names = ['url', 'serverUrl', 'server_url', 'httpUrl', 'endpoint', 'uri'];
  // Continue has it where the transport is.
  const url = stringOf(entry, ...names) ?? stringOf(entry['transport'], ...names);
  if (url === undefined) {
    const bridged = bridgedServer(name, entry);
    if (bridged !== undefined) return bridged;
    const command = stringOf(entry, 'command') ?? stringOf(entry['command'], 'path');
    return {
      name,
      why:
        command === undefined
          ? 'It has no URL.'
          : `It is started by a command (${command}) and speaks over stdio, which browsers cannot reach. A bridge such as supergateway makes it reachable.`,
    };
  }
  const { headers, notes } = toHeaders(entry['headers'] ?? entry['requestInit']);
  const token = stringOf(entry, 'authorization_token');
  if (token !== undefined) headers.push(toHeader('Authorization', `Bearer ${token}`, notes));
  return { name, url, transport: toTransport(entry, url), headers, notes };
}

function toTransport(entry: JsonObject, url: string): TransportChoice {
  if (/^wss?:/i.test(url)) return 'websocket';
  const given =
    stringOf(entry, 'type', 'transport', 'transportType') ?? stringOf(entry['transport'], 'type');
  const type = given?.toLowerCase() ?? '';
  if (type === 'sse') return 'http-sse';
  return type.startsWith('ws') || type === 'websocket' ? 'websocket' : 'auto';
}
