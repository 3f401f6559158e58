import { buildExtension } from '../support/build.ts';
import { benchRevival } from './revival.ts';
import { benchTransport } from './transport.ts';
import { benchWorker } from './worker.ts';

/** `npm run bench`: tables, or with `--json` one flat JSON object on the last line. */
const wantsJson = process.argv.includes('--json');
const { rows, keys } = await benchTransport();
await buildExtension('granted', ['http://127.0.0.1/*']);
const inChromium = { ...(await benchWorker()), ...(await benchRevival()) };

if (wantsJson) {
  const rounded = Object.entries({ ...keys, ...inChromium }).map(([key, value]) => [
    key,
    Number(value.toPrecision(4)),
  ]);
  console.log(JSON.stringify(Object.fromEntries(rounded)));
} else {
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
  console.log('\nIn a real Chromium: events of 1 KB a second, and milliseconds. Medians.\n');
  console.table(
    Object.entries(inChromium).map(([figure, value]) => ({ figure, value: Math.round(value) })),
  );
}
process.exit(0);
