import { expect, test } from 'vitest';
import { tellApart } from '../../../../lib/state/connect/tell-apart.ts';

test('labels that are the same are counted, and others stay as they are', () => {
  expect(tellApart([])).toEqual([]);
  expect(tellApart(['files 1', 'notes', 'files 1', 'files 2', 'files 1'])).toEqual([
    'files 1, 1 of 3',
    'notes',
    'files 1, 2 of 3',
    'files 2',
    'files 1, 3 of 3',
  ]);
});
