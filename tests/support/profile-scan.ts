import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files below a folder that hold one of the texts, as UTF-8 or UTF-16: `file: text`. */
export function findTexts(folder: string, texts: readonly string[]): string[] {
  const needles = texts.flatMap((text) => [
    { text, bytes: Buffer.from(text, 'utf8') },
    { text, bytes: Buffer.from(text, 'utf16le') },
  ]);
  const found = new Set<string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const content = readFileSync(path);
    for (const { text, bytes } of needles) {
      if (content.includes(bytes)) found.add(`${path}: ${text}`);
    }
  }
  return [...found];
}
