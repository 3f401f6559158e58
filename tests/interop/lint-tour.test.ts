import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Issue } from '../../lib/lint/issue.ts';
import type { ConnectRequest } from '../../lib/port/contract.ts';
import { startEverything } from '../server/everything.ts';
import { startPeer } from '../server/peers.ts';
import { startTinyModern } from '../server/tiny-modern.ts';
import { visit, type Visit } from './peers/visit.ts';

type Members = Record<string, unknown>;

function list(result: Members, name: string): Members[] {
  return (result[name] ?? []) as Members[];
}

/** All pages of a list; nothing where the server has no such list. */
async function listed(scene: Visit, method: string, name: string): Promise<Members[]> {
  const found: Members[] = [];
  let cursor: unknown;
  do {
    const item = await scene.call(method, cursor === undefined ? {} : { cursor });
    if (item.outcome !== 'result') return found;
    const result = scene.result(item);
    found.push(...list(result, name));
    cursor = result['nextCursor'];
  } while (cursor !== undefined);
  return found;
}

/** A value that a schema takes, as simple as can be. */
function sample(schema: unknown): unknown {
  const { type, enum: values, default: preset, properties, items, minimum } = schema as Members;
  if (preset !== undefined) return preset;
  if (Array.isArray(values)) return values[0];
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries((properties ?? {}) as Members).map(([name, part]) => [name, sample(part)]),
      );
    case 'array':
      return [sample(items ?? {})];
    case 'number':
    case 'integer':
      return minimum ?? 1;
    case 'boolean':
      return false;
    default:
      return 'a';
  }
}

/** What the server has declared. */
function capabilitiesOf({ worker, result }: Visit): Members {
  const [first] = worker.correlation.items.filter(
    (item) => item.kind === 'request' && item.outcome === 'result' && item.direction === 'outgoing',
  );
  if (first?.kind !== 'request') throw new Error('nothing was answered');
  return result(first)['capabilities'] as Members;
}

/** Asks a server for everything that it offers, one thing after the other. */
async function tour(url: string, options: Partial<ConnectRequest> = {}): Promise<readonly Issue[]> {
  await using scene = await visit(url, {
    answers: { elicitation: 'decline', sampling: 'refuse', roots: [{ uri: 'file:///a' }] },
    ...options,
  });
  const tools = await listed(scene, 'tools/list', 'tools');
  for (const { name, inputSchema } of tools) {
    // What waits for minutes, or for a person, shows nothing new.
    if (/simulated-research|url/.test(String(name))) continue;
    const given = sample(inputSchema) as Members;
    if ('duration' in given) Object.assign(given, { duration: 0.1, steps: 2 });
    await scene.call('tools/call', { name, arguments: given });
  }
  const declared = capabilitiesOf(scene);
  if (declared['resources'] !== undefined) {
    for (const { uri } of (await listed(scene, 'resources/list', 'resources')).slice(0, 5)) {
      await scene.call('resources/read', { uri });
    }
    await listed(scene, 'resources/templates/list', 'resourceTemplates');
  }
  if (declared['prompts'] === undefined) return await scene.issues();
  for (const { name, arguments: wanted } of await listed(scene, 'prompts/list', 'prompts')) {
    const names = ((wanted ?? []) as Members[]).map((each) => each['name']);
    await scene.call('prompts/get', {
      name,
      arguments: Object.fromEntries(names.map((each) => [each, '1'])),
    });
    if (names.length === 0 || declared['completions'] === undefined) continue;
    await scene.call('completion/complete', {
      ref: { type: 'ref/prompt', name },
      argument: { name: names[0], value: '' },
    });
  }
  return await scene.issues();
}

/** Runs a task to its end, asking no faster than its pace. */
async function research(url: string): Promise<readonly Issue[]> {
  await using scene = await visit(url, {
    answers: { elicitation: 'decline', sampling: 'refuse', roots: [] },
  });
  const call = {
    name: 'simulate-research-query',
    arguments: { topic: 'a' },
    task: { ttl: 60_000 },
  };
  const created = scene.result(await scene.call('tools/call', call))['task'] as Members;
  const { taskId } = created;
  for (let { status } = created; status === 'working';) {
    await setTimeout(Number(created['pollInterval'] ?? 500));
    ({ status } = scene.result(await scene.call('tasks/get', { taskId })));
  }
  await scene.call('tasks/result', { taskId });
  await scene.call('tasks/list', {});
  return await scene.issues();
}

test('nothing is found at the reference server, whatever of it is used', async () => {
  const server = await startEverything();
  try {
    expect(await tour(server.url)).toEqual([]);
    expect(await research(server.url)).toEqual([]);
  } finally {
    await server.close();
  }
});

test.each(['modern', 'fastmcp'] as const)(
  'nothing is found at the peer %s, whatever of it is used',
  async (name) => {
    await using peer = await startPeer(name);
    expect(await tour(peer.url('/mcp'), { transport: 'auto' })).toEqual([]);
  },
);

test('nothing is found at the small server of 2026-07-28, whatever of it is used', async () => {
  await using peer = await startTinyModern();
  expect(await tour(peer.url, { transport: 'auto' })).toEqual([]);
});
