import { newCapture, type CaptureRecord } from './capture-record.ts';
import type { LogDatabase } from './database.ts';
import { createRecorder, type Recorder, type UnstoredRange } from '../recorder.ts';
import { createRetention, type Retention, type RetentionParts } from './retention.ts';
import { joinCuts, openSecrets, type SecretKeeper, type Secrets } from '../secrets.ts';
import type { EventOf, WireEvent } from '../wire-event.ts';

export interface Log {
  recorder: Recorder;
  secrets: Secrets;
  /** What an earlier life of the worker stored last, with the secrets that are still held. */
  checkpoint: string | undefined;
  /** The same where the extension was replaced meanwhile, and with it all that it had in memory: masked, to be told. */
  cutOff: string | undefined;
  /** Asks this for the checkpoint of every batch from now on. */
  keep(checkpoint: () => string | undefined): void;
  retention: Retention;
  /** Begins a capture here and now, in which connections live on; returns its id. */
  split(): string;
}

export interface LogListener {
  committed(events: WireEvent[], isStored: boolean): void;
  queueChanged(connectionId: string, sizeBytes: number): void;
}

/** What the next life of the worker must know of the log, as long as the browser lives. */
export interface SessionLog {
  load(): Promise<{
    /** The capture of this life of the browser. */
    captureId?: string | undefined;
    /** Events that were shown, and were in memory only. */
    unstored?: UnstoredRange | undefined;
  }>;
  saveCapture(captureId: string): void;
  saveUnstored(unstored: UnstoredRange | undefined): void;
}

export interface LogDoors extends Pick<RetentionParts, 'loadLimit' | 'saveLimit' | 'estimate'> {
  database: LogDatabase;
  secrets: SecretKeeper;
  session: SessionLog;
  /** Keeps the worker running a little longer. */
  touch(): void;
  /** Whether the extension itself was replaced just now, as far as the browser has said. */
  wasReplaced(): boolean;
}

/**
 * Opens the log of this browser profile: every start of the browser begins a new capture, every later life of
 * the worker goes on in it. Never rejects: where IndexedDB fails, recording goes on in memory, the log says so,
 * and it goes back to the disk by itself.
 */
export async function openLog(
  bootId: string,
  listener: LogListener,
  doors: LogDoors,
): Promise<Log> {
  // Until the worker has taken up what it finds, what is stored stays.
  let checkpoint: () => string | undefined = () => undefined;
  const { database, session } = doors;
  const [secrets, earlier] = await Promise.all([openSecrets(doors.secrets), session.load()]);
  const found = await findCapture(database, earlier.captureId);
  const { unstored } = earlier;
  const lastSequence = Math.max(found.lastSequence, unstored?.to ?? 0);
  session.saveCapture(found.capture.captureId);
  let unnamedFrom = unstored?.from;
  const recorder = createRecorder({
    store: {
      async append(blocks, text) {
        // Events that are only in memory go with the worker, so it has to stay.
        if (recorder.unstored.length > 0) doors.touch();
        await database.append(blocks, text);
        retention.grew(blocks.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
      },
    },
    secrets,
    captureId: found.capture.captureId,
    bootId,
    lastSequence,
    committed: listener.committed,
    queueChanged: listener.queueChanged,
    unstoredChanged(range) {
      // What an earlier life lost is named for good only once that, too, is stored.
      unnamedFrom = range && (unnamedFrom ?? range.from);
      session.saveUnstored(range && { from: unnamedFrom ?? range.from, to: range.to });
    },
    checkpoint: () => checkpoint(),
  });
  const isReplaced = found.isNew && !found.isFirst && doors.wasReplaced();
  const cause = isReplaced ? 'update' : causeOf(earlier.captureId, found);
  recorder.record({ kind: 'worker-started', cause });
  if (found.isNew) recorder.record({ kind: 'capture-started', name: found.capture.name });
  if (unstored !== undefined) {
    nameLoss(recorder, unstored, found);
    void recorder.flushed().then(() => {
      if (recorder.unstored.length > 0) return;
      unnamedFrom = undefined;
      session.saveUnstored(undefined);
    });
  }
  const retention = createRetention({ ...doors, recorder });
  // A database that does not answer is in the log already.
  if (found.isNew) retention.keepLimit().catch(() => undefined);
  const { checkpoint: masked } = found;
  return {
    recorder,
    secrets,
    checkpoint: masked && joinCuts(masked, secrets.reveal),
    cutOff: isReplaced ? masked?.text : undefined,
    keep: (source) => void (checkpoint = source),
    retention,
    split() {
      const { captureId: continues } = recorder;
      const { captureId, name } = newCapture(Date.now());
      recorder.record({ kind: 'capture-split', into: captureId });
      recorder.beginCapture(captureId);
      recorder.record({ kind: 'capture-started', name, continues });
      session.saveCapture(captureId);
      return captureId;
    },
  };
}

interface Found {
  capture: CaptureRecord;
  isNew: boolean;
  isFirst: boolean;
  isReadable: boolean;
  lastSequence: number;
  checkpoint: Awaited<ReturnType<LogDatabase['checkpoint']>>;
}

async function findCapture(database: LogDatabase, currentId: string | undefined): Promise<Found> {
  const fresh = newCapture(Date.now(), currentId);
  const found: Found = {
    capture: fresh,
    isNew: currentId === undefined,
    isFirst: false,
    isReadable: false,
    // Numbers that no stored event can have: the database may be readable again any moment.
    lastSequence: Date.now() * 1000,
    checkpoint: undefined,
  };
  try {
    const [captures, checkpoint] = await Promise.all([database.captures(), database.checkpoint()]);
    const known = captures.find(({ captureId }) => captureId === currentId);
    // Whoever wrote a file could have made them as high as numbers go.
    const recorded = captures.filter(({ imported }) => imported === undefined);
    // On a full disk it gets its record with its first events.
    if (known === undefined) await database.ensureCapture(fresh).catch(() => undefined);
    return {
      ...found,
      capture: known ?? fresh,
      isFirst: captures.length === 0,
      isReadable: true,
      lastSequence: Math.max(0, ...recorded.map((capture) => capture.lastSequence)),
      checkpoint,
    };
  } catch {
    return found;
  }
}

/** Says which events an earlier life had in memory only. */
function nameLoss(recorder: Recorder, unstored: UnstoredRange, found: Found): void {
  const storedUpTo = found.isReadable ? found.lastSequence : 0;
  if (unstored.to <= storedUpTo) return;
  recorder.record({
    kind: 'gap',
    what: 'Events that were shown were never stored.',
    why: 'Storage failed, and the browser stopped the worker that had them in memory.',
    fromSequence: Math.max(unstored.from, storedUpTo + 1),
    toSequence: unstored.to,
  });
}

function causeOf(
  earlierCapture: string | undefined,
  { isFirst }: Found,
): EventOf<'worker-started'>['cause'] {
  if (earlierCapture !== undefined) return 'wake';
  return isFirst ? 'install' : 'browser-start';
}
