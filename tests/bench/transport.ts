import { officialClient, ownClient, rawClient, type BenchClient } from './clients.ts';
import { median } from './median.ts';
import { startBenchServer } from './start-server.ts';

const ROUNDS = 7;
const ROUND_MS = 400;
const BURST = 20_000;

interface Row {
  row: string;
  rates: Record<BenchClient['name'], number>;
  /** Median of the ratios, pair by pair, within each round. */
  shareOfRaw: number;
  ratioToOfficial: number;
}

/** Calls and notifications a second: raw fetch, the official client and ours in turn, against one server. */
export async function benchTransport(): Promise<{ rows: Row[]; keys: Record<string, number> }> {
  using server = await startBenchServer();
  const { url } = server;
  const clients = [rawClient(url), await officialClient(url), await ownClient(url)];
  const rows: Row[] = [];
  for (const tool of ['json', 'sse'] as const) {
    for (const inFlight of [1, 16]) {
      const rate = (client: BenchClient) => callsPerSecond(client, tool, inFlight);
      rows.push(await compare(`${tool}, ${inFlight} in flight, calls/s`, clients, rate));
    }
  }
  rows.push(await compare('notifications/s in one stream', clients, notificationsPerSecond));
  return { rows, keys: keysOf(rows) };
}

/** Interleaved rounds, so that a machine that drifts drifts for all of them. */
async function compare(
  row: string,
  clients: BenchClient[],
  rate: (client: BenchClient) => Promise<number>,
): Promise<Row> {
  const rounds: Record<BenchClient['name'], number>[] = [];
  for (const client of clients) await rate(client);
  for (let round = 0; round < ROUNDS; round += 1) {
    const measured = { raw: 0, official: 0, ours: 0 };
    for (const client of clients) measured[client.name] = await rate(client);
    rounds.push(measured);
  }
  return {
    row,
    rates: {
      raw: median(rounds.map(({ raw }) => raw)),
      official: median(rounds.map(({ official }) => official)),
      ours: median(rounds.map(({ ours }) => ours)),
    },
    shareOfRaw: median(rounds.map(({ ours, raw }) => ours / raw)),
    ratioToOfficial: median(rounds.map(({ ours, official }) => ours / official)),
  };
}

async function callsPerSecond(
  client: BenchClient,
  tool: 'json' | 'sse',
  inFlight: number,
): Promise<number> {
  const start = performance.now();
  let calls = 0;
  const lane = async () => {
    while (performance.now() - start < ROUND_MS) {
      await client.call(tool);
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  return (calls / (performance.now() - start)) * 1000;
}

async function notificationsPerSecond(client: BenchClient): Promise<number> {
  const start = performance.now();
  await client.call('burst', BURST);
  return (BURST / (performance.now() - start)) * 1000;
}

function keysOf(rows: Row[]): Record<string, number> {
  const calls = rows.slice(0, -1);
  const burst = rows.at(-1);
  return {
    'transport.worstCallShareOfRaw': Math.min(...calls.map((row) => row.shareOfRaw)),
    'transport.worstCallRatioToOfficialClient': Math.min(
      ...calls.map((row) => row.ratioToOfficial),
    ),
    'transport.notificationsPerSecond': burst?.rates.ours ?? 0,
    'transport.notificationsRatioToOfficialClient': burst?.ratioToOfficial ?? 0,
  };
}
