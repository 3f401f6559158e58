import { expect, test } from 'vitest';
import { lineTimes } from '../../../../lib/state/detail/line-times.ts';
import { formatClock } from '../../../../lib/text.ts';

const at = (monotonicTime: number) => ({ bootId: 'b', monotonicTime, wallTime: monotonicTime });
const unknown = { kind: 'imported', isTimeUnknown: true } as const;

test('a line has the gap to the one before it, where both are by one clock', () => {
  expect(lineTimes(at(30), at(10))).toEqual({ time: formatClock(30), gap: '+20 ms' });
  expect(lineTimes(at(30), { ...at(10), bootId: 'other' }).gap).toBe('');
  expect(lineTimes(at(30), undefined).gap).toBe('');
});

test('a time that a file does not say is none, and makes no gap', () => {
  const late = { ...at(30), origin: unknown };
  expect(lineTimes(late, at(10))).toEqual({ time: `≤ ${formatClock(30)}`, gap: '' });
  expect(lineTimes(at(40), late)).toEqual({ time: formatClock(40), gap: '' });
});
