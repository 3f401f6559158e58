import { clauseIn } from './clause.ts';
import type { Evidence, Finding, Issue } from './issue.ts';
import { revisionOf, type ConnectionState } from './state.ts';

/** More than these show nothing new. */
const EVIDENCE_LIMIT = 20;
/** From here on, findings of one rule on one connection are counted, not listed. */
const LIST_LIMIT = 50;

const NONE: readonly Issue[] = Object.freeze([]);

/** All issues found so far, by row. */
export interface Report {
  add(connection: ConnectionState, finding: Finding, itemKey: string, evidence: Evidence): void;
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

/** An empty report. Findings of a rule that does not hold on the connection are dropped. */
export function createReport(): Report {
  const all: Issue[] = [];
  const entries = new Map<string, Entry>();
  const counts = new Map<string, number>();
  const byItem = new Map<string, Entry[]>();
  const lists = new Map<string, readonly Issue[]>();
  let changed = new Set<string>();

  function add(
    connection: ConnectionState,
    finding: Finding,
    itemKey: string,
    evidence: Evidence,
  ): void {
    const { rule } = finding;
    if (!rule.revisions.includes(revisionOf(connection))) return;
    if (rule.transports !== undefined && !rule.transports.includes(connection.transport)) return;
    const shown = finding.evidence ?? [evidence];
    const ruleKey = `${connection.connectionId ?? ''} ${rule.id} ${rule.title}`;
    const count = (counts.get(ruleKey) ?? 0) + 1;
    counts.set(ruleKey, count);
    const group = finding.group ?? (count > LIST_LIMIT ? 'and more' : `one ${count}`);
    const key = `${ruleKey} ${finding.side} ${group}`;
    const entry = entries.get(key);
    if (entry === undefined) create(key, connection, finding, itemKey, shown);
    else repeat(entry, itemKey, shown);
  }

  function create(
    key: string,
    connection: ConnectionState,
    finding: Finding,
    itemKey: string,
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
      clause: clauseIn(rule.clause, revisionOf(connection)),
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
