import { looseNumber, looseObject, looseText, type Loose } from '../loose-json.ts';
import type { HarHead, HarRedaction, JwtFacts } from '../har-format.ts';

/** What a file of ours says of itself; what is not of the shape that we write is passed over. */
export function readHead(log: Loose): HarHead {
  const mcp = looseObject(log['_mcp']);
  const browser = program(log['browser']);
  const comment = looseText(log['comment']);
  const selection = numbers(mcp['selection'], ['entries', 'of']);
  const truncation = numbers(mcp['truncation'], ['limitBytes', 'bodies']);
  const redaction = readRedaction(mcp['redaction']);
  return {
    creator: program(log['creator']) ?? { name: '', version: '' },
    ...(browser === undefined ? {} : { browser }),
    ...(comment === undefined ? {} : { comment }),
    ...(selection === undefined ? {} : { selection }),
    ...(redaction === undefined ? {} : { redaction }),
    ...(truncation === undefined ? {} : { truncation }),
  };
}

function program(value: unknown): { name: string; version: string } | undefined {
  const { name, version } = looseObject(value);
  const text = looseText(name);
  return text === undefined ? undefined : { name: text, version: looseText(version) ?? '' };
}

function numbers<Key extends string>(
  value: unknown,
  keys: readonly Key[],
): Record<Key, number> | undefined {
  const given = looseObject(value);
  const found = keys.flatMap((key) => {
    const number = looseNumber(given[key]);
    return number === undefined ? [] : [[key, number] as const];
  });
  if (found.length < keys.length) return undefined;
  return Object.fromEntries(found) as Record<Key, number>;
}

function readRedaction(value: unknown): HarRedaction | undefined {
  const given = looseObject(value);
  const profile = given['profile'];
  if (profile !== 'share-v1' && profile !== 'structure-only') return undefined;
  const kept = looseNumber(given['kept']);
  const jwt = Object.entries(looseObject(given['jwt'])).map(
    ([name, facts]) => [name, looseObject(facts) as JwtFacts] as const,
  );
  const counts = Object.entries(looseObject(given['counts'])).flatMap(([name, count]) => {
    const number = looseNumber(count);
    return number === undefined ? [] : [[name, number] as const];
  });
  return {
    profile,
    counts: Object.fromEntries(counts),
    ...(kept === undefined ? {} : { kept }),
    ...(jwt.length === 0 ? {} : { jwt: Object.fromEntries(jwt) }),
  };
}
