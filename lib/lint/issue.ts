import type { TransportKind } from '../capture/store/stored-profile.ts';
import type { Span } from '../capture/store/stored-text.ts';
import type { Clause, ClausePlace, Revision } from './clause.ts';

/** Breaks a MUST; breaks a SHOULD or works with some peers only; worth knowing. */
export type Severity = 'error' | 'warning' | 'info';

/** Who did it. */
export type Side = 'server' | 'client';

/** A fact of the log on which an issue stands. */
export interface Evidence {
  sequence: number;
  httpId?: string;
  socketId?: string;
  /** Bytes of the response body that show it. */
  span?: Span;
}

/** A protocol finding. Never changes: what is found again replaces it by one with a higher count. */
export interface Issue {
  ruleId: string;
  title: string;
  severity: Severity;
  side: Side;
  /** What happened, with the values; one sentence. */
  message: string;
  advice?: string;
  clause: Clause;
  /** The first of them; `count` tells how many there are. */
  evidence: readonly Evidence[];
  count: number;
  /** Key of the row that shows it first. */
  itemKey?: string;
  connectionId?: string;
}

/** One rule as data. */
export interface Rule {
  id: string;
  severity: Severity;
  side: Side | 'both';
  /** Revisions in which it holds. */
  revisions: readonly Revision[];
  /** Transports that it is about; absent means all. */
  transports?: readonly TransportKind[];
  title: string;
  clause: ClausePlace;
}

/** What a detector found; the rule, the row and the side are known to whoever asked it. */
export interface Finding {
  rule: Rule;
  message: string;
  advice?: string;
  /** Where the case at hand is milder or graver than the rule says. */
  severity?: Severity;
  side: Side;
  /** Where the fact at hand is not judged by its own revision. */
  revision?: Revision;
  /**
   * Where a revision has to be negotiated first: the finding waits for it. Undefined where there is nothing to
   * find by that revision.
   */
  severityIn?(revision: Revision): Severity | undefined;
  /** Where the row is not that of the fact at hand. */
  itemKey?: string;
  /** Where the fact at hand is not all, or not the best, that shows it. */
  evidence?: readonly Evidence[];
  /** Findings of one rule and connection with the same group are one issue with a count. */
  group?: string;
}
