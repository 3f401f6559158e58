import type { Correlation } from '../capture/correlate/correlate.ts';
import type { HeldBytes } from '../capture/correlate/held-bytes.ts';
import type { ConnectRequest } from '../port/contract.ts';
import type { Feed, FeedHandlers } from '../port/feed.ts';
import type { SettingsStore } from '../profiles/settings.ts';
import type { ClockSource } from './time/clock.ts';
import type { SettingStore } from './view/column-choice.ts';
import type { PermissionDoor } from './connect/connector.ts';
import type { FirstStepsDesk } from './captures/first-steps.ts';
import type { OpenSearchWorker } from './search/search-regex.ts';
import type { ServerDesk } from './server/server-model.ts';
import type { StorageDesk } from './captures/storage-model.ts';
import type { WatchInspected } from './connect/page-host.ts';
import type { UpdateDesk } from './connect/update-desk.ts';
import type { ViewMemory } from './view/view-memory.ts';
import type { Slices } from './view/view-slices.ts';

/** What a panel is made of: the log, and the page around it. */
export interface AppModelParts {
  openFeed(handlers: FeedHandlers): Feed;
  correlation: Correlation;
  door: PermissionDoor;
  defaults: Omit<ConnectRequest, 'url'>;
  clock: ClockSource;
  /** Calls back when the screen is next painted, so that a burst of batches is drawn once; later in a flood. */
  onNextFrame(draw: () => void, isBusy: boolean): void;
  /** How long work is cut up; without it, it is not. */
  slices?: Slices;
  /** Where filter and order outlive the page. */
  viewMemory?: ViewMemory;
  /** Which bytes of the log are in memory; without it they all are. */
  held?: HeldBytes;
  /** Where the page keeps its set-up; without it, it lasts as long as the page. */
  settings?: SettingStore;
  /** What the user has set for all pages. */
  saved: SettingsStore;
  captures: Omit<StorageDesk, 'background' | 'dropped'>;
  openSearchWorker: OpenSearchWorker;
  watchUpdate: UpdateDesk['watchUpdate'];
  watchInspected: WatchInspected;
  firstSteps: Omit<FirstStepsDesk, 'storage'>;
  /** What servers listed when they were last visited; without it, nothing is remembered. */
  loadVisits?: ServerDesk['loadVisits'];
}
