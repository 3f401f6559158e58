import { benchTransport } from './transport.ts';

/** `npm run bench`: tables, or with `--json` one flat JSON object on the last line. */
const wantsJson = process.argv.includes('--json');
const { rows, keys } = await benchTransport();

if (wantsJson) {
  const rounded = Object.entries(keys).map(([key, value]) => [key, Number(value.toPrecision(4))]);
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
}
process.exit(0);
