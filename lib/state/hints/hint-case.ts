import { headerValue } from '../../capture/correlate/http-record.ts';
import type { HttpRecord, Item } from '../../capture/correlate/items.ts';
import type { Evidence } from '../../lint/issue.ts';
import type { HintSource, Survey } from './hint-survey.ts';

/** Why a row may hang, from what the log holds. */
export interface Hint {
  kind:
    | 'input'
    | 'slots'
    | 'not-sent'
    | 'session-ended'
    | 'restarted'
    | 'lost'
    | 'resuming'
    | 'reading-paused'
    | 'other-id'
    | 'accepted'
    | 'no-byte'
    | 'comments-only'
    | 'unfinished'
    | 'progress-silent'
    | 'one-at-a-time'
    | 'alive'
    | 'silent';
  /** What was seen; one sentence. */
  text: string;
  /** What to do next. */
  advice: string;
  /** The fact that shows it. */
  evidence?: Evidence;
}

/** A row that waits, and what the log holds around it. */
export interface WaitingCase {
  item: Item;
  record: HttpRecord | undefined;
  around: Survey;
  source: HintSource;
  /** Wall time, ms. */
  now: number;
}

/** Whether an exchange is answered by a stream. */
export function isStream(record: HttpRecord | undefined): boolean {
  const type = headerValue(record?.response?.headers, 'content-type') ?? '';
  return record?.request.purpose === 'stream' || type.startsWith('text/event-stream');
}

/** The row itself, to be looked at. */
export function evidenceOf({ sequence }: Item): Evidence {
  return { sequence };
}
