import type { CaptureRecord } from '../../capture/store/capture-record.ts';
import type { Block } from '../../capture/wire-event.ts';
import { toSecretRules, type WrittenRule } from '../../redact/rules.ts';
import { openCaptureLog } from './capture-log.ts';
import type { HarHead } from '../har-format.ts';
import { redactLog, type RedactionProfile } from '../redact/redact-log.ts';
import { shortenLog } from './shorten-log.ts';
import { surveySecrets, type FoundSecret } from '../redact/survey-secrets.ts';
import { writeHar, type HarLog } from './write-har.ts';
import { writeHtml } from '../html/write-html.ts';

/** What is to be known before a capture is written. */
export interface ExportReport {
  /** The secrets that were found, those of a kind beside each other. */
  found: FoundSecret[];
  /** How many values were hidden when they were recorded: they are in no file. */
  recorded: number;
  /** Ids of all exchanges and sockets. */
  carriers: string[];
}

/** How a capture is to be written. */
export interface ExportChoice {
  format: 'har' | 'html';
  /** `shown`: nothing is hidden but what was so when it was recorded. */
  secrets: 'hidden' | 'shown';
  profile: RedactionProfile;
  /** Found values that are to stay all the same. */
  kept: readonly string[];
  /** Bodies up to this size stay whole; of larger ones, long texts are cut. */
  limitBytes?: number;
  /** Ids of exchanges and sockets; all where absent. */
  selected?: readonly string[];
}

/** A capture that is being written. */
export interface ExportWork {
  report: ExportReport;
  write(choice: ExportChoice, progress: (share: number) => void): Promise<Blob>;
}

export interface ExportSource {
  capture: CaptureRecord;
  readBlocks(captureId: string, from: number, to: number): AsyncIterable<Block[]>;
  rules: readonly WrittenRule[];
  creator: { name: string; version: string };
  browser?: { name: string; version: string };
}

/** A file is handed to the browser in parts, which it may keep on disk: no text has to hold all of it. */
const PART_CHARS = 4 * 1024 * 1024;

/** Reads a stored capture, and looks for its secrets. */
export async function openExport(
  source: ExportSource,
  progress: (share: number) => void,
): Promise<ExportWork> {
  const { capture, readBlocks, creator, browser } = source;
  const rules = toSecretRules(source.rules);
  const head = headOf(capture);
  const log: HarLog = {
    ...(await openCaptureLog({ capture, readBlocks })),
    ...(head === undefined ? {} : { head }),
  };
  const survey = await surveySecrets(log, { rules, progress });
  const found = [...survey.found.values()].toSorted((a, b) =>
    a.secretClass === b.secretClass ? 0 : a.secretClass < b.secretClass ? -1 : 1,
  );
  return {
    report: {
      found,
      recorded: survey.recorded.size,
      carriers: log.events.flatMap((event) => {
        if (event.kind === 'http-request') return [event.httpId];
        return event.kind === 'socket-opening' ? [event.socketId] : [];
      }),
    },
    async write({ format, secrets, profile, kept, limitBytes, selected }, written) {
      const redacted =
        secrets === 'shown'
          ? undefined
          : redactLog(log, survey, {
              rules,
              profile,
              kept: new Set(kept),
              isImported: capture.imported !== undefined,
            });
      const whole = redacted ?? log;
      const shortened = limitBytes === undefined ? whole : shortenLog(whole, limitBytes);
      const options = {
        creator,
        // Where a file of another tool was recorded is not known.
        ...(browser === undefined || capture.imported !== undefined ? {} : { browser }),
        ...(selected === undefined ? {} : { selected: new Set(selected) }),
        progress: (count: number, of: number) => written(count / of),
      };
      const isPage = format === 'html';
      const pieces = isPage ? writeHtml(shortened, options) : writeHar(shortened, options);
      return toBlob(pieces, isPage ? 'text/html' : 'application/json', redacted?.check);
    },
  };
}

function headOf({ imported }: CaptureRecord): HarHead | undefined {
  return imported?.head === undefined ? undefined : (JSON.parse(imported.head) as HarHead);
}

async function toBlob(
  pieces: AsyncIterable<string>,
  type: string,
  check: (piece: string) => void = () => undefined,
): Promise<Blob> {
  const waiting: string[] = [];
  const parts: Blob[] = [];
  let size = 0;
  for await (const piece of pieces) {
    check(piece);
    waiting.push(piece);
    size += piece.length;
    if (size < PART_CHARS) continue;
    parts.push(new Blob(waiting.splice(0)));
    size = 0;
  }
  return new Blob([...parts, ...waiting], { type });
}
