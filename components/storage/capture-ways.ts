import type { StorageDesk } from '../../lib/state/captures/storage-model.ts';

/** The ways from the list of captures into one of them. */
export type CaptureWays = Pick<StorageDesk, 'shownId' | 'showCapture' | 'openCapture'>;
