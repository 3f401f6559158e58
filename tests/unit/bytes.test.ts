import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createByteBuffer } from '../../lib/bytes.ts';

test('holds what was appended, in order, whatever the sizes of the parts', () => {
  const part = fc.uint8Array({ maxLength: 700 });
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const buffer = createByteBuffer();
      for (const each of parts) buffer.append(each);
      const all = parts.flatMap((each) => [...each]);
      expect(buffer.length).toBe(all.length);
      expect([...buffer.view()]).toEqual(all);
    }),
  );
});

test('is empty after it was cleared, large or small, and keeps no part of its callers', () => {
  const buffer = createByteBuffer();
  for (const sizeBytes of [3, 100_000]) {
    const part = new Uint8Array(sizeBytes).fill(7);
    buffer.append(part);
    part.fill(0);
    expect(buffer.view().every((byte) => byte === 7)).toBe(true);
    buffer.clear();
    expect(buffer.view()).toEqual(new Uint8Array(0));
  }
});
