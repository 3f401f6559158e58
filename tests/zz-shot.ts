import { launchWirescope } from './e2e/wirescope.ts';
import { mkdtempSync } from 'node:fs';
const w = await launchWirescope({
  build: 'granted',
  profile: mkdtempSync('/tmp/pack-scratch/prof-'),
});
const panel = await w.openPanelTab();
const p = panel.page;
await p.setViewportSize({ width: 1280, height: 800 });
await p.waitForTimeout(1500);
await p.screenshot({ path: '/tmp/pack-scratch/shots/empty.png' });
await w.end();
