import type { Era } from '../wire-event.ts';
import type { TransportKind } from './stored-profile.ts';

/** What pages keep about a capture beside its record, which the worker writes while it records. */
export interface CaptureDescription {
  captureId: string;
  note?: string;
  tags?: string[];
  /** The capture that was split: this one is its second half. */
  continues?: string;
  /** Calls that were under way then, by `httpId`, until their ends are in the first half too. */
  unfinished?: string[];
  facts?: CaptureFacts;
}

/** What was counted in a capture. */
export interface CaptureFacts {
  /** Events up to this `sequence` are in the counts. */
  upTo: number;
  /** JSON-RPC requests of either side. */
  exchanges: number;
  /** Rows that say that something failed. */
  errors: number;
  servers: CaptureServer[];
  /** What connections used; absent in counts of early versions. */
  usage?: UsageCount[];
}

/** How many connections used one transport with one revision. */
export interface UsageCount {
  transport: TransportKind;
  era: Era;
  revision: string;
  connections: number;
}

export interface CaptureServer {
  url: string;
  /** As the server calls itself. */
  name?: string;
}

/** What the user can change about a capture. */
export interface CaptureEdit {
  name: string;
  note: string;
  tags: string[];
}
