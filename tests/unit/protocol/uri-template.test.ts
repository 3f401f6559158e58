import { expect, test } from 'vitest';
import { expandUriTemplate, parseUriTemplate } from '../../../lib/protocol/uri-template.ts';

/** The values of RFC 6570, 3.2. */
const VALUES = {
  count: ['one', 'two', 'three'],
  dom: ['example', 'com'],
  dub: 'me/too',
  hello: 'Hello World!',
  half: '50%',
  var: 'value',
  who: 'fred',
  base: 'http://example.com/home/',
  path: '/foo/bar',
  list: ['red', 'green', 'blue'],
  v: '6',
  x: '1024',
  y: '768',
  empty: '',
  empty_keys: [],
};

/** Examples of RFC 6570, 3.2.2 to 3.2.9. */
const EXAMPLES: [template: string, expanded: string][] = [
  ['{var}', 'value'],
  ['{hello}', 'Hello%20World%21'],
  ['{half}', '50%25'],
  ['O{empty}X', 'OX'],
  ['O{undef}X', 'OX'],
  ['{x,y}', '1024,768'],
  ['{x,hello,y}', '1024,Hello%20World%21,768'],
  ['?{x,undef}', '?1024'],
  ['{var:3}', 'val'],
  ['{var:30}', 'value'],
  ['{list}', 'red,green,blue'],
  ['{list*}', 'red,green,blue'],
  ['{+var}', 'value'],
  ['{+hello}', 'Hello%20World!'],
  ['{+half}', '50%25'],
  ['{base}index', 'http%3A%2F%2Fexample.com%2Fhome%2Findex'],
  ['{+base}index', 'http://example.com/home/index'],
  ['{+path}/here', '/foo/bar/here'],
  ['up{+path}{var}/here', 'up/foo/barvalue/here'],
  ['{+path:6}/here', '/foo/b/here'],
  ['{#var}', '#value'],
  ['{#path,x}/here', '#/foo/bar,1024/here'],
  ['{#undef}', ''],
  ['X{.var}', 'X.value'],
  ['www{.dom*}', 'www.example.com'],
  ['X{.empty_keys}', 'X'],
  ['{/var,x}/here', '/value/1024/here'],
  ['{/var:1,var}', '/v/value'],
  ['{/list*}', '/red/green/blue'],
  ['{;x,y,empty}', ';x=1024;y=768;empty'],
  ['{;list*}', ';list=red;list=green;list=blue'],
  ['{;v,bar,who}', ';v=6;who=fred'],
  ['{?x,y,empty}', '?x=1024&y=768&empty='],
  ['{?list}', '?list=red,green,blue'],
  ['{?list*}', '?list=red&list=green&list=blue'],
  ['?fixed=yes{&x}', '?fixed=yes&x=1024'],
  ['{&var:3}', '&var=val'],
  ['a b{var}%20', 'a%20bvalue%20'],
];

test.each(EXAMPLES)('%s expands as RFC 6570 says', (text, expanded) => {
  const parsed = parseUriTemplate(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  expect(expandUriTemplate(parsed.template, VALUES)).toBe(expanded);
});

test('variables are listed once, in their order', () => {
  const parsed = parseUriTemplate('demo://{a}/{b.c}{?a,d*}');
  expect(parsed).toMatchObject({ ok: true, template: { variables: ['a', 'b.c', 'd'] } });
});

test.each(['{', '}', '{}', '{a', '{a b}', '{a:0}', '{!a}', 'x{=a}', '{{a}}'])(
  '%s is refused with a reason',
  (text) => {
    const parsed = parseUriTemplate(text);
    expect(parsed.ok).toBe(false);
    expect(parsed).toHaveProperty('reason', expect.stringMatching(/\w/));
  },
);

test('a text with half a character is expanded too', () => {
  const parsed = parseUriTemplate('{a}');
  expect(parsed.ok && expandUriTemplate(parsed.template, { a: '\uD800' })).toBe('%EF%BF%BD');
});
