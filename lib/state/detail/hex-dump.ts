/** Classic hex dump: offset, 16 bytes, their ASCII. `startOffset` is the place of the first byte in its body. */
export function hexDump(bytes: Uint8Array, startOffset = 0): string {
  const lines: string[] = [];
  for (let offset = 0; offset < bytes.length; offset += 16) {
    const row = [...bytes.subarray(offset, offset + 16)];
    const hex = row.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const ascii = row.map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : '.'));
    const place = (startOffset + offset).toString(16).padStart(8, '0');
    lines.push(`${place}  ${hex.padEnd(47)}  ${ascii.join('')}`);
  }
  return lines.join('\n');
}
