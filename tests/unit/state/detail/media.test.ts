import { expect, test } from 'vitest';
import { scanOutline } from '../../../../lib/json/outline-scan.ts';
import { readMedia } from '../../../../lib/state/detail/media-content.ts';
import { findMedia } from '../../../../lib/state/detail/media-items.ts';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FAAhKDveksOjmAAAAAElFTkSuQmCC';

function mediaIn(value: unknown) {
  const scan = scanOutline(JSON.stringify(value));
  while (!scan.isDone) scan.advance(1000);
  const search = findMedia(scan);
  while (!search.isDone) search.step();
  const { items, found } = search;
  return { found, items, contents: items.map((item) => readMedia(scan, item)) };
}

test('pictures, sounds, blobs and data URLs are found where they are, with type and size', () => {
  const { items, contents } = mediaIn({
    content: [
      { type: 'image', data: PNG, mimeType: 'image/png' },
      { type: 'audio', data: 'UklGRiQAAABXQVZFZm10IBAAAAA=', mimeType: 'audio/x-wav' },
      { type: 'resource', resource: { uri: 'a:b', blob: 'JVBERi0xLjQKJcfsj6IKJcfsj6IK' } },
    ],
    icons: [{ src: `data:image/png;base64,${PNG}` }],
  });
  expect(items.map(({ path, mimeType, sizeBytes }) => [path, mimeType, sizeBytes])).toEqual([
    ['$.content[0].data', 'image/png', Buffer.from(PNG, 'base64').length],
    ['$.content[1].data', 'audio/x-wav', 20],
    ['$.content[2].resource.blob', '', 21],
    ['$.icons[0].src', 'image/png', Buffer.from(PNG, 'base64').length],
  ]);
  expect(contents).toEqual([
    { kind: 'image', url: `data:image/png;base64,${PNG}` },
    { kind: 'audio', url: 'data:audio/x-wav;base64,UklGRiQAAABXQVZFZm10IBAAAAA=' },
    { kind: 'other' },
    { kind: 'image', url: `data:image/png;base64,${PNG}` },
  ]);
});

test('what only looks like it is left alone', () => {
  const text = 'a text that is long enough to be a picture';
  const { found } = mediaIn({
    data: text,
    other: { data: text, type: 'x' },
    src: 'https://example.com/a-picture-of-a-cat.png',
    plain: 'data:text/plain,hello there, this is no base64',
  });
  expect(found).toBe(0);
});

test('only an address that holds the data itself is ever given out, whatever type a server claims', () => {
  const types = [
    'image/png" onload="x',
    'text/html',
    'image/svg+xml',
    'IMAGE/PNG',
    'image/png;x=y',
  ];
  const { contents } = mediaIn(types.map((mimeType) => ({ data: PNG, mimeType })));
  expect(
    contents.map((content) => ('url' in content ? content.url.split(',')[0] : content.kind)),
  ).toEqual(['other', 'other', 'data:image/svg+xml;base64', 'data:image/png;base64', 'other']);
});

test.each([
  [`${PNG.slice(0, 11)}!${PNG.slice(12)}`, /not base64: “!” at character 12/],
  [`${PNG.slice(0, 30)}-${PNG.slice(31)}`, /base64url.*“-” at character 31/],
  [`${PNG.slice(0, 28)}==${PNG.slice(30)}`, /padding in the middle, at character 29/],
  [PNG.slice(0, 33), /cut off/],
])('broken data is said to be broken: %s', (data, reason) => {
  const { contents } = mediaIn({ data, mimeType: 'image/png' });
  expect(contents).toEqual([{ kind: 'broken', reason: expect.stringMatching(reason) as string }]);
});

test('a type that the bytes contradict is noted', () => {
  const { contents } = mediaIn({ data: PNG, mimeType: 'image/jpeg' });
  expect(contents).toMatchObject([{ kind: 'image', note: 'The bytes are image/png' }]);
});

test('more of them than anyone looks at are counted, not listed', () => {
  const { found, items } = mediaIn(
    Array.from({ length: 5000 }, () => ({ data: PNG, mimeType: 'image/png' })),
  );
  expect(found).toBe(5000);
  expect(items.length).toBeLessThan(100);
});
