import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_CONNECT, type RecentServer } from '../../../lib/port/contract.ts';
import { readServerOptions } from '../../../lib/profiles/server-options.ts';
import { readServersFile, writeServersFile } from '../../../lib/profiles/servers-file.ts';
import { readSettings } from '../../../lib/profiles/settings.ts';

const { headers: _, ...DEFAULT_OPTIONS } = DEFAULT_CONNECT;

describe('a file of servers', () => {
  test('gives what was written, without when it was used', () => {
    const server: RecentServer = {
      url: 'https://a.example/mcp',
      name: 'A',
      headers: [{ name: 'X-Tenant', value: 'acme', secret: false }],
      usedAt: 7,
      isKept: true,
      options: { ...DEFAULT_OPTIONS, originPolicy: { kind: 'value', value: 'https://o.example' } },
    };
    const text = writeServersFile([server, { url: 'http://b/', headers: [], usedAt: 8 }]);
    expect(text).not.toMatch(/usedAt|isKept/);
    const { isKept: _kept, ...written } = server;
    expect(readServersFile(text)).toEqual({
      servers: [
        { ...written, usedAt: 0 },
        { url: 'http://b/', headers: [], usedAt: 0, options: {} },
      ],
      passedOver: [],
      notes: [],
    });
  });

  test('loses an entry that is none, and no other', () => {
    const text = JSON.stringify({
      format: 'wirescope-servers',
      version: 1,
      servers: [
        null,
        { name: 'no url' },
        { url: 'http://a/', headers: [{ name: 'A' }, { value: 'x' }, 3], options: 'all' },
      ],
    });
    const { servers, passedOver } = readServersFile(text);
    expect(servers).toEqual([
      {
        url: 'http://a/',
        usedAt: 0,
        headers: [{ name: 'A', value: '', secret: false }],
        options: {},
      },
    ]);
    expect(passedOver.map(({ name }) => name)).toEqual(['Entry 1', 'Entry 2']);
  });

  test('of a later version says so; one that is damaged says where', () => {
    const later = JSON.stringify({ format: 'wirescope-servers', version: 2, servers: [] });
    expect(() => readServersFile(later)).toThrow(/version 2/);
    expect(() => readServersFile('{"format": "wirescope-servers", ')).toThrow(/line 1/);
  });

  test('may be that of another client', () => {
    const { servers, notes } = readServersFile(
      JSON.stringify({
        mcpServers: {
          docs: { type: 'sse', url: 'https://d/sse', headers: { Authorization: 'Bearer ${T}' } },
        },
      }),
    );
    expect(servers).toMatchObject([{ name: 'docs', options: { transport: 'http-sse' } }]);
    expect(notes).toEqual([{ name: 'docs', why: expect.stringContaining('${T}') }]);
  });
});

describe('stored options', () => {
  test('are taken as they come with the program', () => {
    expect(readServerOptions(DEFAULT_OPTIONS)).toEqual(DEFAULT_OPTIONS);
  });

  test('never hold what a connection could not begin with', () => {
    const known = new Map<string, unknown>(Object.entries(DEFAULT_OPTIONS));
    fc.assert(
      fc.property(fc.constantFrom(...known.keys()), fc.jsonValue(), (name, value) => {
        for (const taken of Object.values(readServerOptions({ [name]: value }))) {
          expect(typeof taken).toBe(typeof known.get(name));
        }
      }),
    );
    expect(
      readServerOptions({ idleTimeoutMs: NaN, reconnection: { factor: 0 }, transport: 'carrier' }),
    ).toEqual({});
  });

  test('and settings are read as far as they are some', () => {
    expect(readSettings({ theme: 'dark', connect: { openStream: false }, x: 1 })).toEqual({
      theme: 'dark',
      connect: { openStream: false },
    });
    for (const broken of [undefined, null, 'dark', { theme: 'pink', connect: 3 }]) {
      expect(readSettings(broken)).toEqual({});
    }
  });
});
