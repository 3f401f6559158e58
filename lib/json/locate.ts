const LF = 0x0a;
const CR = 0x0d;

/** Line and column of an offset, both from 1; CRLF, LF and a lone CR each end a line. */
export function locate(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (let position = 0; position < offset; position += 1) {
    const code = text.charCodeAt(position);
    if (code !== LF && code !== CR) continue;
    if (code === CR && position + 1 < offset && text.charCodeAt(position + 1) === LF) continue;
    line += 1;
    lineStart = position + 1;
  }
  return { line, column: offset - lineStart + 1 };
}
