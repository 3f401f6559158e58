import { loadavg } from 'node:os';
import { buildExtension } from '../support/build.ts';
import { quietMachine } from '../support/quiet-machine.ts';
import { judgeFigure } from './budgets.ts';
import { benchFullProfile } from './full-profile.ts';
import { benchHar } from './har.ts';
import { benchPanel } from './panel.ts';
import { benchRevival } from './revival.ts';
import { benchSizes } from './sizes.ts';
import { benchTransport } from './transport.ts';
import { benchWorker } from './worker.ts';

type Figures = Record<string, number>;

/**
 * `npm run bench`: tables, or with `--json` one flat JSON object on the last line. Names of parts measure those
 * only: `npm run bench -- panel`.
 */
const wantsJson = process.argv.includes('--json');
const PARTS: Record<string, () => Promise<Figures>> = {
  size: benchSizes,
  transport: runTransport,
  worker: async () => ({ ...(await benchWorker()), ...(await benchRevival()) }),
  panel: benchPanel,
  har: benchHar,
  profile: benchFullProfile,
};
/** Takes minutes: only where it is named. */
const LONG = new Set(['profile']);
const chosen = process.argv.slice(2).filter((argument) => argument !== '--json');
const unknown = chosen.filter((name) => !Object.hasOwn(PARTS, name));
if (unknown.length > 0) {
  console.error(`Usage: npm run bench -- [--json] [${Object.keys(PARTS).join('|')} ...]`);
  process.exit(2);
}

async function runTransport(): Promise<Figures> {
  const { rows, keys } = await benchTransport();
  if (!wantsJson) {
    console.log('Transport under Node, recording on. Medians of interleaved rounds.\n');
    console.table(
      rows.map(({ row, rates, shareOfRaw, ratioToOfficial }) => ({
        row,
        'raw fetch': Math.round(rates.raw),
        'official client': Math.round(rates.official),
        ours: Math.round(rates.ours),
        'ours / raw': shareOfRaw.toFixed(2),
        'ours / official': ratioToOfficial.toFixed(2),
      })),
    );
  }
  return keys;
}

await buildExtension('granted', ['http://127.0.0.1/*']);
await quietMachine();
const figures: Figures = {};
for (const [name, measure] of Object.entries(PARTS)) {
  if (chosen.includes(name) || (chosen.length === 0 && !LONG.has(name)))
    Object.assign(figures, await measure());
}
// On a machine with two processors, what is measured alone makes less than two.
figures['machine.loadAverage'] = loadavg()[0] ?? 0;

if (wantsJson) {
  const rounded = Object.entries(figures).map(([key, value]) => [
    key,
    Number(value.toPrecision(4)),
  ]);
  console.log(JSON.stringify(Object.fromEntries(rounded)));
} else {
  console.log('\nThe units are in the names. Medians, where there are rounds.\n');
  console.table(
    Object.entries(figures).map(([figure, value]) => ({
      figure,
      value: Number(value.toPrecision(4)),
      ...judgeFigure(figure, value),
    })),
  );
}
process.exit(0);
