import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { BriefMap } from '../../lib/brief-map.ts';

test('holds what a map holds, in its order, however much has come and gone', () => {
  const key = fc.nat({ max: 20 });
  const step = fc.record({ key, isDeleted: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 3000, size: 'max' }), (steps) => {
      const brief = new BriefMap<number, number>();
      const model = new Map<number, number>();
      for (const [at, { key: touched, isDeleted }] of steps.entries()) {
        for (const map of [brief, model]) {
          if (isDeleted) map.delete(touched);
          else map.set(touched, at);
        }
        expect(brief.get(touched)).toBe(model.get(touched));
        expect(brief.size).toBe(model.size);
      }
      expect([...brief]).toEqual([...model]);
      expect([...brief.values()]).toEqual([...model.values()]);
    }),
    { numRuns: 30 },
  );
});

test('entries that are deleted while it is read are left out, also where it moves them meanwhile', () => {
  const brief = new BriefMap<number, string>();
  for (let key = 0; key < 1000; key += 1) brief.set(key, `entry ${key}`);
  for (const [key] of brief) if (key % 2 === 0) brief.delete(key);
  expect([...brief].map(([key]) => key)).toEqual(
    Array.from({ length: 500 }, (_, at) => at * 2 + 1),
  );
});
