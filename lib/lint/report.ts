import { clauseIn, V4, V5, type Revision } from './clause.ts';
import type { Evidence, Finding, Issue } from './issue.ts';
import type { ConnectionState } from './state.ts';

/** More than these show nothing new. */
const EVIDENCE_LIMIT = 20;
/** From here on, findings of one rule on one connection are counted, not listed. */
const LIST_LIMIT = 50;
/** A server whose era is not known is not asked more than a few requests. */
const HELD_LIMIT = 100;

const NONE: readonly Issue[] = Object.freeze([]);

/** By which revision a finding is judged, and where it belongs. */
export interface Found {
  revision: Revision;
  itemKey: string;
  /** The row of the whole of which that row is a step, and under which it may be folded. */
  wholeKey?: string | undefined;
  evidence: Evidence;
}

/** All issues found so far, by row. */
export interface Report {
  /** Findings of the modern era about a server are held back until it has shown that it is of that era. */
  add(connection: ConnectionState, finding: Finding, found: Found): void;
  /** Lists what was held back, if the server is a modern one by now. */
  release(connection: ConnectionState): void;
  /** Judges what waits for a revision by that under which it was found: no other one will come. */
  settle(connection: ConnectionState): void;
  /** Forgets what was held back, but for what is wrong in every era. */
  drop(connection: ConnectionState): void;
  /** Issues of a row; the same array until they change. */
  issuesOf(itemKey: string): readonly Issue[];
  readonly all: readonly Issue[];
  /** Rows whose issues changed since the last call. */
  takeChanged(): ReadonlySet<string>;
}

interface Entry {
  issue: Issue;
  /** Place in the list of all. */
  index: number;
  itemKeys: Set<string>;
}

/** An empty report. Findings of a rule that does not hold in the revision, or on the transport, are dropped. */
export function createReport(): Report {
  const all: Issue[] = [];
  const entries = new Map<string, Entry>();
  const counts = new Map<string, number>();
  const byItem = new Map<string, Entry[]>();
  const lists = new Map<string, readonly Issue[]>();
  const held = new Map<ConnectionState, [Finding, Found][]>();
  /** What cannot be judged before a revision is negotiated. */
  const waiting = new Map<ConnectionState, [Finding, Found][]>();
  let changed = new Set<string>();

  function add(connection: ConnectionState, given: Finding, place: Found): void {
    let [finding, found] = [given, place];
    if (given.severityIn !== undefined) {
      const { revision } = connection;
      if (revision === undefined) return wait(connection, given, place);
      const severity = given.severityIn(revision);
      if (severity === undefined) return;
      finding = { ...given, severity };
      found = { ...place, revision };
    }
    const { rule, side } = finding;
    if (!rule.revisions.includes(found.revision)) return;
    if (rule.transports !== undefined && !rule.transports.includes(connection.transport)) return;
    if (connection.isReport && side === 'client') return;
    if (found.revision === V5 && side === 'server' && !connection.isModern) {
      const list = held.get(connection) ?? [];
      held.set(connection, list);
      if (list.length < HELD_LIMIT) list.push([finding, found]);
      return;
    }
    put(connection, finding, found);
  }

  function wait(connection: ConnectionState, finding: Finding, found: Found): void {
    const list = waiting.get(connection) ?? [];
    waiting.set(connection, list);
    if (list.length < HELD_LIMIT) list.push([finding, found]);
  }

  function takeWaiting(connection: ConnectionState): [Finding, Found][] {
    const list = waiting.get(connection) ?? [];
    waiting.delete(connection);
    return list;
  }

  function put(connection: ConnectionState, finding: Finding, found: Found): void {
    const { rule } = finding;
    const shown = finding.evidence ?? [found.evidence];
    const ruleKey = `${connection.connectionId ?? ''} ${rule.id} ${rule.title}`;
    const count = (counts.get(ruleKey) ?? 0) + 1;
    counts.set(ruleKey, count);
    const group = finding.group ?? (count > LIST_LIMIT ? 'and more' : `one ${count}`);
    const key = `${ruleKey} ${finding.side} ${group}`;
    const known = entries.get(key);
    if (known === undefined) create(key, connection, finding, found, shown);
    else repeat(known, found.itemKey, shown);
    const { wholeKey } = found;
    const entry = entries.get(key);
    // What is only worth knowing stays where it is.
    if (wholeKey !== undefined && entry !== undefined && entry.issue.severity !== 'info') {
      attach(entry, wholeKey);
    }
  }

  function take(connection: ConnectionState): [Finding, Found][] {
    const list = held.get(connection) ?? [];
    held.delete(connection);
    return list;
  }

  function create(
    key: string,
    connection: ConnectionState,
    finding: Finding,
    { itemKey, revision }: Found,
    evidence: readonly Evidence[],
  ): void {
    const { rule, message, advice, side } = finding;
    const { connectionId } = connection;
    const issue: Issue = {
      ruleId: rule.id,
      title: rule.title,
      severity: finding.severity ?? rule.severity,
      side,
      message,
      clause: clauseIn(rule.clause, revision),
      evidence: evidence.slice(0, EVIDENCE_LIMIT),
      count: 1,
      itemKey,
      ...(advice === undefined ? {} : { advice }),
      ...(connectionId === undefined ? {} : { connectionId }),
    };
    const entry: Entry = { issue, index: all.length, itemKeys: new Set() };
    all.push(issue);
    entries.set(key, entry);
    attach(entry, itemKey);
  }

  function repeat(entry: Entry, itemKey: string, evidence: readonly Evidence[]): void {
    const { issue } = entry;
    const room = Math.max(0, EVIDENCE_LIMIT - issue.evidence.length);
    entry.issue = {
      ...issue,
      count: issue.count + 1,
      evidence: room === 0 ? issue.evidence : [...issue.evidence, ...evidence.slice(0, room)],
    };
    all[entry.index] = entry.issue;
    attach(entry, itemKey);
    // The first row shows the count. All the others would be told of each repetition for ever.
    if (issue.itemKey !== undefined) changed.add(issue.itemKey);
  }

  function attach(entry: Entry, itemKey: string): void {
    if (!entry.itemKeys.has(itemKey)) {
      entry.itemKeys.add(itemKey);
      const list = byItem.get(itemKey);
      if (list === undefined) byItem.set(itemKey, [entry]);
      else list.push(entry);
    }
    changed.add(itemKey);
  }

  return {
    add,
    release(connection) {
      if (connection.revision !== undefined) {
        for (const [finding, found] of takeWaiting(connection)) add(connection, finding, found);
      }
      if (!connection.isModern) return;
      for (const [finding, found] of take(connection)) put(connection, finding, found);
    },
    settle(connection) {
      for (const [finding, found] of takeWaiting(connection)) {
        const { rule, side, severityIn } = finding;
        const severity = severityIn?.(found.revision);
        if (severity === undefined || !rule.revisions.includes(found.revision)) continue;
        if (rule.transports?.includes(connection.transport) === false) continue;
        if (!connection.isReport || side === 'server') {
          put(connection, { ...finding, severity }, found);
        }
      }
    },
    drop(connection) {
      const isAll = ({ rule }: Finding): boolean => rule.revisions.includes(V4);
      for (const [finding, found] of take(connection)) {
        if (isAll(finding) && connection.messageCount === 0) put(connection, finding, found);
      }
    },
    all,
    issuesOf(itemKey) {
      const found = byItem.get(itemKey);
      if (found === undefined) return NONE;
      const known = lists.get(itemKey);
      const isFresh = found.every(({ issue }, index) => known?.[index] === issue);
      if (known !== undefined && isFresh) return known;
      const list = found.map(({ issue }) => issue);
      lists.set(itemKey, list);
      return list;
    },
    takeChanged() {
      const taken = changed;
      changed = new Set();
      return taken;
    },
  };
}
