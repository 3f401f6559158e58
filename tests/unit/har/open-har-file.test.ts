import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openHarFile } from '../../../lib/har/read/open-har-file.ts';

/** A zip archive whose files are stored as they are. */
function zip(files: [name: string, text: string][]): Blob {
  const parts: Buffer[] = [];
  const listed: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of files) {
    const [title, data] = [Buffer.from(name), Buffer.from(text, 'latin1')];
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(title.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt32LE(data.length, 20);
    entry.writeUInt16LE(title.length, 28);
    entry.writeUInt32LE(offset, 42);
    parts.push(local, title, data);
    listed.push(entry, title);
    offset += local.length + title.length + data.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(offset, 16);
  return new Blob([Buffer.concat([...parts, ...listed, end])]);
}

async function textOf(file: Blob): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const piece of (await openHarFile(file)).bytes) text += decoder.decode(piece);
  return text;
}

test.each<[string, [string, string][]]>([
  [
    'the HAR of Playwright before others',
    [
      ['a.har', 'no'],
      ['har.har', 'yes'],
    ],
  ],
  [
    'the file itself, and not what macOS adds',
    [
      ['__MACOSX/._a.har', 'no'],
      ['a.har', 'yes'],
    ],
  ],
  [
    'the same inside a folder',
    [
      ['x/._a.har', 'no'],
      ['__MACOSX/x/._a.har', 'no'],
      ['x/a.har', 'yes'],
    ],
  ],
  ['a name in capitals', [['A.HAR', 'yes']]],
])('In an archive, %s is read', async (_name, files) => {
  expect(await textOf(zip(files))).toBe('yes');
});

test('An archive in an archive is opened, and further files of it are named', async () => {
  const packed = gzipSync('yes').toString('latin1');
  expect(await textOf(new Blob([gzipSync(gzipSync('yes'))]))).toBe('yes');
  expect(await textOf(zip([['a.har.gz', packed]]))).toBe('yes');
  expect(
    await textOf(
      zip([
        ['notes.txt', 'no'],
        ['traffic.json', 'yes'],
      ]),
    ),
  ).toBe('yes');
  const several = await openHarFile(
    zip([
      ['a.har', 'yes'],
      ['b.har', 'no'],
    ]),
  );
  expect(several.others).toEqual(['b.har']);
});

test('What is packed and cut off is read as far as it goes', async () => {
  const text = Array.from({ length: 5000 }, (_, index) => `line ${index * 7919}`).join('\n');
  const read = await textOf(new Blob([gzipSync(text).subarray(0, 8000)]));
  expect(read.length).toBeGreaterThan(1000);
  expect(text.startsWith(read)).toBe(true);
});

test.each<[string, string | Buffer]>([
  ['two byte order marks', '\uFEFF\uFEFF{"a":"é"}'],
  ['a call behind a byte order mark', '\uFEFFonInputData({"a":"é"}'],
  ['a variable', 'var har = {"a":"é"}'],
  ['UTF-16 without a mark', Buffer.from('{"a":"é"}', 'utf16le')],
  ['the same the other way round', Buffer.from('{"a":"é"}', 'utf16le').swap16()],
])('%s is taken off', async (_name, content) => {
  expect(
    await textOf(new Blob([typeof content === 'string' ? content : Uint8Array.from(content)])),
  ).toBe('{"a":"é"}');
});

test('An archive without one is refused with what it holds', async () => {
  await expect(openHarFile(zip([['inner.zip', 'x']]))).rejects.toThrow('only inner.zip');
});
