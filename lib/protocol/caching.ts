import { isRecord } from '../record.ts';

/** Methods whose complete results say how long they may be kept (2026-07-28, server/utilities/caching). */
const CACHEABLE = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]);

/** How long a result may be kept, and for whom. */
export interface CacheHint {
  /** Milliseconds from when it was received; 0 means that it is stale at once. */
  ttlMs: number;
  /** Why that is 0, where the server did not simply say so. */
  fault?: 'absent' | 'negative' | 'no number';
  /** Absent where the server says nothing that the standard knows. */
  scope?: 'public' | 'private';
}

/** Reads the hints of a result; `undefined` where its method or its type has none. */
export function cacheHintOf(method: string, result: unknown): CacheHint | undefined {
  if (!CACHEABLE.has(method) || !isRecord(result)) return undefined;
  if ((result['resultType'] ?? 'complete') !== 'complete') return undefined;
  const { ttlMs, cacheScope } = result;
  return {
    ...readTtl(ttlMs),
    ...(cacheScope === 'public' || cacheScope === 'private' ? { scope: cacheScope } : {}),
  };
}

function readTtl(ttlMs: unknown): Pick<CacheHint, 'ttlMs' | 'fault'> {
  if (ttlMs === undefined) return { ttlMs: 0, fault: 'absent' };
  if (typeof ttlMs !== 'number') return { ttlMs: 0, fault: 'no number' };
  return ttlMs < 0 ? { ttlMs: 0, fault: 'negative' } : { ttlMs };
}
