import type { CaptureLog } from '../../capture/store/capture-log.ts';
import type { CaptureRecord } from '../../capture/store/capture-record.ts';
import { formatClock } from '../../text.ts';
import type { AppModel } from '../app-model.ts';
import { createCompareModel, type CompareModel } from '../captures/compare-model.ts';

/** A connection of the log that can be held against another one. */
export interface ComparedConnection {
  connectionId: string;
  title: string;
}

/** The connections of a log, the newest first. */
export function comparableConnections({ correlation }: Pick<AppModel, 'correlation'>) {
  return [...correlation.connections.values()]
    .map(({ connectionId, url, serverName, opened, era, revision }): ComparedConnection => {
      const link = [serverName ?? url, era, revision].filter(Boolean).join(' ');
      return { connectionId, title: `${link}, ${formatClock(opened.wallTime).slice(0, 8)}` };
    })
    .toReversed();
}

/** Compares two connections of one log as two captures are compared. */
export function compareConnections(
  model: Pick<AppModel, 'correlation' | 'search'>,
  before: ComparedConnection,
  after: ComparedConnection,
): CompareModel {
  const read = ({ captureId, name }: CaptureRecord): Promise<CaptureLog> => {
    const { correlation } = model;
    const items = correlation.items.filter(({ connectionId }) => connectionId === captureId);
    return Promise.resolve({
      captureId,
      name,
      // The records of the others do no harm: nothing leads to them.
      correlation: Object.create(correlation, { items: { value: items } }) as typeof correlation,
      peek: model.search.peek,
    });
  };
  return createCompareModel(() => Promise.resolve({ read }), recordOf(before), recordOf(after));
}

function recordOf({ connectionId, title }: ComparedConnection): CaptureRecord {
  return {
    captureId: connectionId,
    name: title,
    startedAt: 0,
    lastSequence: 0,
    eventCount: 0,
    sizeBytes: 0,
  };
}
