import type { TransportChoice } from '../capture/store/stored-profile.ts';
import { locate } from '../json/locate.ts';
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
const PLACES = [
  'mcpServers',
  'servers',
  'context_servers',
  'mcp_servers',
  'amp.mcpServers',
  'extensions',
  'tools',
] as const;
/** Names under which clients keep the URL of a server. */
const URLS = ['url', 'serverUrl', 'server_url', 'httpUrl', 'endpoint', 'uri'];

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
  const empty = PLACES.find((place) => Object.hasOwn(config, place));
  throw new AppError({
    code: 'file-invalid',
    message:
      empty === undefined
        ? 'This names no MCP servers.'
        : `This names no MCP servers: there is none in its “${empty}”.`,
    advice:
      'It should be JSON with “mcpServers” (Claude, Cursor and others), “servers” (VS Code), or a registry’s server.json with “remotes”.',
  });
}

function parseConfig(text: string): JsonObject {
  const plain = plainJson(text.replace(/^\uFEFF/, ''));
  const parsed = parseJson(plain);
  if (parsed.ok) {
    const value: unknown = JSON.parse(plain);
    return isObject(value) ? value : {};
  }
  // What people copy out of instructions is often an entry without the braces around it.
  const wrapped = `{${plain.replace(/,\s*$/, '')}}`;
  if (/^\s*"/.test(plain) && parseJson(wrapped).ok) return JSON.parse(wrapped) as JsonObject;
  const { line, column } = locate(plain, parsed.offset);
  throw new AppError({
    code: 'file-invalid',
    message: `This is not JSON: ${parsed.message} (line ${line}, column ${column}).`,
    advice: adviceFor(text.trimStart()),
  });
}

/** What to do about a text that is no JSON, by what it looks like. */
function adviceFor(text: string): string {
  const instead = 'which is not read. Type the URL of the server instead.';
  if (text === '') return 'It is empty. Take the whole file, from its first brace to its last.';
  // Windows likes to write UTF-16.
  if (text.includes('\0')) return 'It is not UTF-8: save it as UTF-8 and take it again.';
  if (/^(?:https?|wss?):\/\/\S+\s*$/i.test(text))
    return 'To connect to a URL, type it where you connect.';
  if (/^[{[]?\s*[“”‘’]/.test(text) || /^\{\s*'/.test(text)) {
    return 'Its quotation marks are not the straight double ones of JSON: replace them.';
  }
  if (!text.startsWith('{') && /^\s*\[[\w.-]+\]\s*$/m.test(text))
    return `It looks like TOML, ${instead}`;
  if (/^(?:---\s*$|[\w.-]+:(?:\s|$))/m.test(text) && !text.startsWith('{'))
    return `It looks like YAML, ${instead}`;
  return 'Take the whole file, from its first brace to its last.';
}

/** Entries by name, wherever the client keeps them; VS Code's settings have them under `mcp`. */
function namedEntries(config: JsonObject): [name: string, entry: unknown][] {
  const roots = [config, config['mcp'], config['projects']].filter((root) => isObject(root));
  // Claude Code keeps servers by project.
  const projects = Object.values(config['projects'] ?? {}).filter((each) => isObject(each));
  const found = [...roots, ...projects].flatMap((root) =>
    // A list of `servers` is that of a registry.
    PLACES.flatMap((place) =>
      place === 'servers' && Array.isArray(root[place]) ? [] : entriesAt(place, root[place]),
    ),
  );
  if (found.length > 0) return found;
  // OpenCode and Crush have no name for the whole.
  if (isObject(config['mcp'])) return namedIn(config['mcp']);
  // A single entry, or entries without what is around them.
  if (isServer(config)) return [[stringOf(config, 'name') ?? 'Imported server', config]];
  return Object.entries(config).filter(([, entry]) => isServer(entry));
}

function isServer(entry: unknown): boolean {
  return stringOf(entry, 'url', 'serverUrl', 'httpUrl', 'command') !== undefined;
}

/** Of what holds other things too, those that are MCP servers. */
function entriesAt(place: string, entries: unknown): [name: string, entry: unknown][] {
  const named = namedIn(entries);
  if (place === 'tools') return named.filter(([, entry]) => stringOf(entry, 'type') === 'mcp');
  return place === 'extensions' ? named.filter(([, entry]) => isExtension(entry)) : named;
}

function isExtension(entry: unknown): boolean {
  return stringOf(entry, 'uri', 'cmd') !== undefined;
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
  // Continue has it where the transport is.
  const url = stringOf(entry, ...URLS) ?? stringOf(entry['transport'], ...URLS);
  if (url === undefined) {
    const bridged = bridgedServer(name, entry);
    if (bridged !== undefined) return bridged;
    const command = stringOf(entry, 'command', 'cmd') ?? stringOf(entry['command'], 'path');
    return {
      name,
      why:
        command === undefined
          ? 'It has no URL.'
          : `It is started by a command (${command}) and speaks over stdio, which browsers cannot reach. A bridge such as supergateway makes it reachable.`,
    };
  }
  const scheme = /^\s*([a-z][a-z\d+.-]*):(?!\d)/i.exec(url)?.[1]?.toLowerCase();
  if (scheme !== undefined && !/^(?:https?|wss?)$/.test(scheme)) {
    return { name, why: `Its URL begins with ${scheme}:, which is no address of a server.` };
  }
  const { headers, notes } = toHeaders(
    entry['headers'] ?? entry['http_headers'] ?? entry['requestInit'],
  );
  for (const [header, variable] of Object.entries(Object(entry['env_http_headers']))) {
    headers.push(toHeader(header, `\${${String(variable)}}`, notes));
  }
  const token = stringOf(entry, 'authorization_token', 'authorization', 'bearerToken');
  if (token !== undefined) headers.push(toHeader('Authorization', `Bearer ${token}`, notes));
  const parsed = URL.parse(url);
  if (parsed === null || parsed.username + parsed.password === '') {
    return { name, url, transport: toTransport(entry, url), headers, notes };
  }
  [parsed.username, parsed.password] = ['', ''];
  notes.push(
    'The user name and password in its URL are left out, for browsers refuse to send them: add an Authorization header.',
  );
  return { name, url: parsed.href, transport: toTransport(entry, url), headers, notes };
}

function toTransport(entry: JsonObject, url: string): TransportChoice {
  if (/^wss?:/i.test(url)) return 'websocket';
  const given =
    stringOf(entry, 'type', 'transport', 'transportType') ?? stringOf(entry['transport'], 'type');
  const type = given?.toLowerCase() ?? '';
  if (type === 'sse') return 'http-sse';
  return type.startsWith('ws') || type === 'websocket' ? 'websocket' : 'auto';
}
