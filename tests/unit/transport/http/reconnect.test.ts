import { expect, test } from 'vitest';
import { retryAfterMs } from '../../../../lib/transport/http/reconnect.ts';

const NOW = Date.parse('Mon, 30 Nov 2026 09:00:00 GMT');

test.each([
  ['120', 120_000],
  ['0', 0],
  ['Mon, 30 Nov 2026 09:00:30 GMT', 30_000],
  ['Mon, 30 Nov 2026 08:59:30 GMT', 0],
  ['-5', 0],
  ['1.5', 0],
  ['soon', 0],
  ['', 0],
  ['99999999999999', 2 ** 31 - 1],
  ['Fri, 31 Dec 9999 23:59:59 GMT', 2 ** 31 - 1],
])('Retry-After: %s asks for %i ms', (value, ms) => {
  expect(retryAfterMs([{ name: 'Retry-After', value }], NOW)).toBe(ms);
});

test('an answer without it asks for nothing', () => {
  expect(retryAfterMs([{ name: 'content-type', value: '5' }], NOW)).toBe(0);
});
