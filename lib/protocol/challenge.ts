/** One challenge of a `WWW-Authenticate` header (RFC 9110, 11.6.1). */
export interface Challenge {
  /** As sent; schemes are compared without regard to case. */
  scheme: string;
  token68?: string;
  /** In the order of the header, duplicates included. */
  params: ChallengeParam[];
}

export interface ChallengeParam {
  /** As sent; names are compared without regard to case. */
  name: string;
  /** Without quotes and escapes. */
  value: string;
  /** What is not valid about it, although it was read. */
  notes: ChallengeNote[];
}

export type ChallengeNote = 'duplicate' | 'single-quoted' | 'not-quoted' | 'no-comma-before';

export interface ParsedChallenges {
  challenges: Challenge[];
  /** What could not be read, and was left out; one sentence each. */
  ignored: string[];
}

const SPACES = /[ \t]*/y;
const SEPARATORS = /[ \t,]*/y;
const TOKEN = /[!#$%&'*+\-.^_`|~0-9A-Za-z]+/y;
const TOKEN68 = /[A-Za-z0-9\-._~+/]+=*(?=[ \t]*(?:,|$))/y;
const EQUALS = /[ \t]*=[ \t]*/y;
const QUOTED = /"((?:[^"\\]|\\.)*)"/y;
const SINGLE_QUOTED = /'([^']*)'/y;
const BARE = /[^\s,]+/y;

/**
 * Reads the challenges of all `WWW-Authenticate` header lines of an answer by the grammar of RFC 9110 (11.2,
 * 11.6.1), and near-legal spellings with a note. Never throws.
 */
export function parseChallenges(lines: readonly string[]): ParsedChallenges {
  const challenges: Challenge[] = [];
  const ignored: string[] = [];
  for (const line of lines) readLine(line, challenges, ignored);
  return { challenges, ignored };
}

/** All values of a parameter, in the order of the header. */
export function challengeValues({ params }: Challenge, name: string): string[] {
  return params.filter((param) => param.name.toLowerCase() === name).map(({ value }) => value);
}

/** Every value of the header, which may stand on several lines. */
export function challengeLines(headers: readonly { name: string; value: string }[]): string[] {
  return headers
    .filter(({ name }) => name.toLowerCase() === 'www-authenticate')
    .map(({ value }) => value);
}

function readLine(line: string, challenges: Challenge[], ignored: string[]): void {
  let position = 0;
  let current: Challenge | undefined;
  /** Nothing but a space stands between here and the scheme. */
  let isAfterScheme = false;

  function take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = position;
    const match = pattern.exec(line);
    if (match === null) return undefined;
    position = pattern.lastIndex;
    return match;
  }

  function readParam(challenge: Challenge, name: string, hadComma: boolean): void {
    const notes: ChallengeNote[] = [];
    if (!hadComma) notes.push('no-comma-before');
    if (challengeValues(challenge, name.toLowerCase()).length > 0) notes.push('duplicate');
    const value = readValue(name, notes);
    if (value !== undefined) challenge.params.push({ name, value, notes });
  }

  function readValue(name: string, notes: ChallengeNote[]): string | undefined {
    if (line[position] === '"') {
      const quoted = take(QUOTED);
      if (quoted !== undefined) return quoted[1]?.replaceAll(/\\(.)/g, '$1') ?? '';
      // All that follows belongs to the string that has no end.
      position = line.length;
      ignored.push(`The quote of \`${name}\` is not closed.`);
      return undefined;
    }
    const single = take(SINGLE_QUOTED);
    if (single !== undefined) {
      notes.push('single-quoted');
      return single[1] ?? '';
    }
    const bare = take(BARE)?.[0] ?? '';
    TOKEN.lastIndex = 0;
    if (TOKEN.exec(bare)?.[0] !== bare) notes.push('not-quoted');
    return bare;
  }

  while (position < line.length) {
    const hadComma = take(SEPARATORS)?.[0].includes(',') === true || current === undefined;
    if (position >= line.length) return;
    if (isAfterScheme && !hadComma && current !== undefined) {
      const token68 = take(TOKEN68)?.[0];
      if (token68 !== undefined) {
        current.token68 = token68;
        isAfterScheme = false;
        continue;
      }
    }
    const name = take(TOKEN)?.[0];
    if (name === undefined) {
      const junk = take(BARE)?.[0] ?? line[position] ?? '';
      if (junk === line[position]) position += 1;
      ignored.push(`“${junk}” is no part of a challenge.`);
      continue;
    }
    if (take(EQUALS) === undefined) {
      current = { scheme: name, params: [] };
      challenges.push(current);
      isAfterScheme = true;
      take(SPACES);
      continue;
    }
    if (current === undefined) {
      const orphan: Challenge = { scheme: '', params: [] };
      readParam(orphan, name, true);
      ignored.push(`\`${name}\` stands before any scheme.`);
    } else {
      readParam(current, name, hadComma || isAfterScheme);
    }
    isAfterScheme = false;
  }
}
