import { headerValue } from '../capture/correlate/http-record.ts';
import type { HttpRecord, Item } from '../capture/correlate/items.ts';
import type { LintSource } from './collect.ts';
import type { Detectors } from './facts.ts';
import type { DetectorSet } from './run.ts';

/** Rules that are a chunk of their own, by what they are about. */
export type FamilyName = 'authorization' | 'features';

/** Gets the detectors of a family, with a memory of their own. */
export type LoadFamily = (name: FamilyName) => Detectors | Promise<Detectors>;

/** The rules that come when there is traffic that they are about. */
export interface Families {
  /** Sends for the rules that these items need. */
  need(items: ReadonlySet<Item>): void;
  /** Rules that were sent for and are not there yet: until then nothing may be judged. */
  readonly areAwaited: boolean;
}

const MESSAGES = new Set<Item['kind']>(['request', 'notification', 'stray']);
const AUTHORIZING = new Set(['discovery', 'registration', 'token', 'revocation']);

/** Sends for the family by a chunk. */
export async function loadFamily(name: FamilyName): Promise<Detectors> {
  switch (name) {
    case 'authorization':
      return (await import('./authorization-rules.ts')).createAuthorizationDetectors();
    case 'features':
      return (await import('./feature-rules.ts')).createFeatureDetectors();
  }
}

/** Starts with none sent for. `came` is told whenever one is there that was awaited. */
export function createFamilies(
  { https }: Pick<LintSource, 'https'>,
  detectors: DetectorSet,
  load: LoadFamily,
  came: () => void,
): Families {
  const missing = new Set<FamilyName>(['authorization', 'features']);
  let awaited = 0;

  function send(name: FamilyName): void {
    missing.delete(name);
    const family = load(name);
    if (!(family instanceof Promise)) return detectors.add(family);
    awaited += 1;
    // What it would have found is missing then; all else is still judged.
    void family
      .then(detectors.add, () => undefined)
      .then(() => {
        awaited -= 1;
        came();
      });
  }

  function isNeeded(name: FamilyName, item: Item): boolean {
    if (name === 'features') return MESSAGES.has(item.kind);
    if (item.kind === 'auth') return true;
    if (item.kind === 'lifecycle') return item.event.kind.startsWith('auth-');
    if (item.authChains !== undefined) return true;
    const record = item.httpId === undefined ? undefined : https.get(item.httpId);
    return record !== undefined && isAboutAuthorization(record);
  }

  return {
    need(items) {
      if (missing.size === 0) return;
      for (const item of items) {
        for (const name of missing) if (isNeeded(name, item)) send(name);
      }
    },
    get areAwaited() {
      return awaited > 0;
    },
  };
}

function isAboutAuthorization({ request, response }: HttpRecord): boolean {
  const { purpose, headers, url } = request;
  if (AUTHORIZING.has(purpose) || headerValue(headers, 'authorization') !== undefined) return true;
  const isChallenge = headerValue(response?.headers, 'www-authenticate') !== undefined;
  return isChallenge || response?.status === 401 || /[?&]access_token=/.test(url.text);
}
