/** A size as DevTools writes it: `180 B`, `1.2 kB`, `16.8 MB`, `1.0 GB`. Units of 1000. */
export function formatBytes(sizeBytes: number): string {
  if (sizeBytes < 1000) return `${sizeBytes} B`;
  let [divisor, unit] = [1000, 'kB'];
  if (sizeBytes >= 999_500) [divisor, unit] = [1_000_000, 'MB'];
  if (sizeBytes >= 999_500_000) [divisor, unit] = [1_000_000_000, 'GB'];
  const value = sizeBytes / divisor;
  return `${value < 99.95 ? value.toFixed(1) : String(Math.round(value))} ${unit}`;
}

/** A measured duration: `0.4 ms`, `41 ms`, `1.24 s`, `2 min 3 s`. Takes milliseconds. */
export function formatDuration(durationMs: number): string {
  const ms = Math.max(durationMs, 0);
  if (ms < 9.95) return `${Number(ms.toFixed(1))} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_995) return `${(ms / 1000).toFixed(2)} s`;
  return formatLongDuration(Math.round(ms / 1000));
}

/** A duration that is still growing, with no more digits than an eye can follow. */
export function formatRunning(durationMs: number): string {
  const ms = Math.max(durationMs, 0);
  if (ms < 10_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  if (ms < 60_000) return `${Math.floor(ms / 1000)} s`;
  return formatLongDuration(Math.floor(ms / 1000));
}

function formatLongDuration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The gap to the event before: `+0.4 ms`, `+1.24 s`. Takes milliseconds. */
export function formatGap(gapMs: number): string {
  return `+${formatDuration(gapMs)}`;
}

/** Local time of day with milliseconds: `14:03:09.041`. Takes wall time. */
export function formatClock(wallTime: number): string {
  const date = new Date(wallTime);
  const [hours, minutes, seconds] = [date.getHours(), date.getMinutes(), date.getSeconds()].map(
    (part) => String(part).padStart(2, '0'),
  );
  return `${hours}:${minutes}:${seconds}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** `1 row`, `2 rows`, `1,032 rows`. */
export function formatCount(count: number, singular: string, plural = `${singular}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? singular : plural}`;
}

/** A value that was read from JSON, as JSON again; an ellipsis where it is nested too deep to be written. */
export function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return '…';
  }
}

/** The same for a line that people read: a string is itself. */
export function toLine(value: unknown): string {
  // JSON has no word for a number that is too large.
  const isPlain = typeof value === 'string' || typeof value === 'number';
  return isPlain ? String(value) : (jsonOf(value) ?? 'undefined');
}

/** Text as read by strict UTF-8, a byte order mark included; undefined where the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
