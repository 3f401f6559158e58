import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  frameBytes,
  rewriteFrame,
  writeFrame,
} from '../../../../lib/state/composer/composer-frame.ts';

test('bytes come back from every form in which they can be written', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.constantFrom('text', 'hex', 'base64'), (bytes, form) => {
      const text = writeFrame(form, bytes);
      if (text === undefined) return form === 'text';
      const read = frameBytes(form, text);
      return typeof read === 'object' && Buffer.from(read).equals(Buffer.from(bytes));
    }),
  );
});

test.each([
  ['hex', '00 fz', /“z” is no hexadecimal digit/],
  ['hex', 'abc', /Half of the last byte/],
  ['base64', 'a', /not Base64/],
  ['base64', '@@@@', /not Base64/],
] as const)('what is no %s is not sent: %s', (form, text, why) => {
  expect(frameBytes(form, text)).toMatch(why);
});

test('a frame is written anew in another form, and stays as it is where that cannot be', () => {
  expect(rewriteFrame('Grüße', 'text', 'hex')).toBe('47 72 c3 bc c3 9f 65');
  expect(rewriteFrame('ff fe', 'hex', 'base64')).toBe('//4=');
  expect(rewriteFrame('ff fe', 'hex', 'text')).toBe('ff fe');
  expect(rewriteFrame('not hex', 'hex', 'base64')).toBe('not hex');
  expect(writeFrame('hex', new Uint8Array(17))?.split('\n')).toHaveLength(2);
});
