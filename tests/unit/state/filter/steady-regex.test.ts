import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileRegex } from '../../../../lib/state/filter/regex-program.ts';
import { equals } from '../../../../lib/state/filter/filter-values.ts';

const PIECES =
  String.raw`a b . \d \w \s [ab] [^a] [\]a] \n \. 1 é A k { 😀 [😀é] \u0061 \x61 ^ $ \b \B`.split(
    ' ',
  );
const QUANTIFIERS = ['*', '+', '?', '{2}', '{1,2}', '{0,}', '*?', '+?', '??', '{1,2}?'];
const SIGNS = Array.from('abkA1 \n.é É😀_]{\u212Aſ');

const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(...PIECES),
    fc.tuple(tie('expression'), tie('expression')).map((parts) => parts.join('')),
    fc.tuple(tie('expression'), tie('expression')).map((parts) => `(?:${parts.join('|')})`),
    tie('expression').map((part) => `(${part})`),
    fc
      .tuple(tie('expression'), fc.constantFrom(...QUANTIFIERS))
      .map(([part, quantifier]) => `(?:${part})${quantifier}`),
  ),
}));
const flag = fc.constantFrom('', 'i', 'm', 's', 'u', 'iu', 'im', 'imsu');
const text = fc.array(fc.constantFrom(...SIGNS), { maxLength: 10 }).map((signs) => signs.join(''));

function native(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

test('an expression taken step by step finds what the browser finds', () => {
  fc.assert(
    fc.property(expression, flag, text, (source, flags, subject) => {
      const regex = native(source, flags);
      fc.pre(regex !== undefined);
      // V8 finds places within a surrogate pair, which no Unicode expression should.
      fc.pre(!(source.includes(String.raw`\B`) && subject.includes('😀')));
      expect(compileRegex(source, flags)?.(subject)).toBe(regex.test(subject));
    }),
    { numRuns: 3000 },
  );
});

test.each(['(?=a)', '(?<!a)b', String.raw`(a)\1`, String.raw`(?<x>a)\k<x>`, '(?:a{900}){900}'])(
  '%s is not taken step by step',
  (source) => {
    expect(compileRegex(source, '')).toBeUndefined();
  },
);

test('stars in a value stand for anything, however many there are', () => {
  fc.assert(
    fc.property(
      fc
        .array(fc.constantFrom('a', 'b', '*', '.'), { maxLength: 8 })
        .map((parts) => parts.join('')),
      fc
        .array(fc.constantFrom('a', 'b', '.', '\n'), { maxLength: 8 })
        .map((parts) => parts.join('')),
      (glob, subject) => {
        const pattern = glob.replaceAll('.', String.raw`\.`).replaceAll('*', '.*');
        expect(equals(glob)(subject)).toBe(new RegExp(`^${pattern}$`, 's').test(subject));
      },
    ),
    { numRuns: 2000 },
  );
});
