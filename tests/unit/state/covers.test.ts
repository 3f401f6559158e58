import { expect, test } from 'vitest';
import { createCovers } from '../../../lib/state/covers.ts';

test('to open one screen is to close the one that was open', () => {
  const covers = createCovers();
  const open = () => Object.entries(covers).flatMap(([name, { value }]) => (value ? [name] : []));
  expect(open()).toEqual([]);
  covers.report.value = true;
  covers.server.value = true;
  expect(open()).toEqual(['server']);
  covers.server.value = false;
  expect(open()).toEqual([]);
});
