import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBacklog, type BatchBytes } from '../../../lib/capture/backlog.ts';

const MIB = 1024 * 1024;

test('what waits is what was added and not committed, for each connection', () => {
  const step = fc.oneof(
    fc.record({ id: fc.constantFrom('a', 'b', 'c'), bytes: fc.nat({ max: 1000 }) }),
    fc.constant('close' as const),
    fc.constant('commit' as const),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const backlog = createBacklog(undefined);
      const batches: BatchBytes[] = [];
      const waiting = new Map<string, number>();
      for (const next of steps) {
        if (next === 'close') batches.push(backlog.close());
        else if (next === 'commit') {
          const batch = batches.shift() ?? new Map<string, number>();
          backlog.commit(batch);
          for (const [id, bytes] of batch) waiting.set(id, (waiting.get(id) ?? 0) - bytes);
        } else {
          backlog.add(next.id, next.bytes);
          waiting.set(next.id, (waiting.get(next.id) ?? 0) + next.bytes);
        }
        for (const id of ['a', 'b', 'c']) expect(backlog.bytesOf(id)).toBe(waiting.get(id) ?? 0);
      }
    }),
  );
});

test('tells of each mebibyte that is passed, up and down', () => {
  const told: [string, number][] = [];
  const backlog = createBacklog((id, bytes) => void told.push([id, bytes]));
  backlog.add('a', MIB - 1);
  backlog.add('a', 1);
  backlog.add('a', 10);
  backlog.add('b', 3 * MIB);
  backlog.commit(backlog.close());
  expect(told).toEqual([
    ['a', MIB],
    ['b', 3 * MIB],
    ['a', 0],
    ['b', 0],
  ]);
});
