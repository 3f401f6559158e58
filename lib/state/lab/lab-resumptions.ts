import type { HttpRecord, RpcId } from '../../capture/correlate/items.ts';
import type { ResumeChoice } from '../../capture/correlate/fault.ts';
import { indexFromSequence } from '../view/by-sequence.ts';
import { createLabLog, isEventStream, type LabSource, type LabStream } from './lab-log.ts';
import { createJudge, type Judge, type LabFinding } from './lab-verdict.ts';

/** One break of a stream, and how it went on. */
export interface Resumption {
  key: string;
  stream: LabStream;
  /** The exchange that ended. */
  broken: HttpRecord;
  /** The GET that goes on with it. */
  record?: HttpRecord;
  /** From which id; `no-id` where the server has given none. */
  from: ResumeChoice['from'] | 'no-id';
  lastEventId?: string;
  /** We broke it on purpose. */
  isDropped: boolean;
  /** `refused`: the GET brought no stream; `none`: it was not opened again. */
  state: 'waiting' | 'open' | 'over' | 'refused' | 'none';
  eventCount: number;
  /** The gravest first; empty where nothing is known to be wrong. */
  findings: readonly LabFinding[];
}

/** The streams of a connection, and what became of each that broke off: a function of the log alone. */
export interface Resumptions {
  readonly streams: readonly LabStream[];
  /** In the order in which the streams began. */
  readonly all: readonly Resumption[];
  refresh(): void;
}

/** Finds the breaks of a connection in the log, and judges how each stream went on. */
export function createResumptions(connectionId: string, source: LabSource): Resumptions {
  const log = createLabLog(connectionId, source);
  const judges = new Map<HttpRecord, Judge>();
  let all: Resumption[] = [];

  function judgeOf(stream: LabStream, record: HttpRecord): Judge {
    const judge = judges.get(record) ?? createJudge(log, stream, record);
    judges.set(record, judge);
    judge.read();
    return judge;
  }

  function ofStream(stream: LabStream): Resumption[] {
    return stream.exchanges.flatMap((broken, index) => {
      const record = stream.exchanges[index + 1];
      if (record !== undefined) return [resumed(stream, broken, record)];
      return broken.end !== undefined && dropOf(broken) !== undefined
        ? [notResumed(stream, broken)]
        : [];
    });
  }

  function resumed(stream: LabStream, broken: HttpRecord, record: HttpRecord): Resumption {
    const { findings, eventCount } = judgeOf(stream, record);
    const { lastEventId } = record.request.links;
    const isLast = stream.exchanges.at(-1) === record;
    return {
      key: record.httpId,
      stream,
      broken,
      record,
      from: startOf(record),
      ...(lastEventId === undefined ? {} : { lastEventId }),
      isDropped: dropOf(broken) !== undefined,
      state: stateOf(record),
      eventCount,
      findings: isLast ? [...findings, ...lostAnswers(source, stream)] : findings,
    };
  }

  function notResumed(stream: LabStream, broken: HttpRecord): Resumption {
    const isWish = dropOf(broken)?.resume === 'none';
    return {
      key: broken.httpId,
      stream,
      broken,
      from: dropOf(broken)?.resume ?? 'last',
      isDropped: true,
      state: isWish ? 'none' : 'waiting',
      eventCount: 0,
      findings: lostAnswers(source, stream),
    };
  }

  return {
    streams: log.streams,
    get all() {
      return all;
    },
    refresh() {
      log.refresh();
      all = log.streams.flatMap(ofStream);
    },
  };
}

function dropOf({ faults }: HttpRecord) {
  const fault = faults.findLast((event) => event.fault.kind === 'drop')?.fault;
  return fault?.kind === 'drop' ? fault : undefined;
}

function startOf({ faults, request }: HttpRecord): Resumption['from'] {
  const fault = faults.find((event) => event.fault.kind === 'resume')?.fault;
  if (fault?.kind === 'resume') return fault.from;
  return request.links.lastEventId === undefined ? 'no-id' : 'last';
}

function stateOf(record: HttpRecord): Resumption['state'] {
  if (record.response === undefined) return record.end === undefined ? 'waiting' : 'refused';
  if (!isEventStream(record)) return 'refused';
  return record.end === undefined ? 'open' : 'over';
}

/** What a stream owed, and will not bring any more. */
function lostAnswers({ items }: LabSource, { asked, exchanges }: LabStream): LabFinding[] {
  const root = exchanges[0];
  if (asked === undefined || root === undefined) return [];
  const { sequence } = root.request;
  const lost: RpcId[] = [];
  for (let index = indexFromSequence(items, sequence); ; index += 1) {
    const item = items[index];
    if (item?.sequence !== sequence) break;
    if (item.kind !== 'request' || item.response !== undefined) continue;
    if (item.outcome === 'failed' || item.outcome === 'cancelled') lost.push(item.rpcId);
  }
  if (lost.length === 0) return [];
  return [{ fault: 'gap', eventIds: [], rpcIds: lost, count: lost.length }];
}
