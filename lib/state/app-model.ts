import { computed, signal } from '@preact/signals-core';
import type { ReadonlySignal, Signal } from '@preact/signals-core';
import type { Correlation } from '../capture/correlate/correlate.ts';
import type { Item } from '../capture/correlate/items.ts';
import type { BackgroundFunctions, ConnectionSummary } from '../port/contract.ts';
import { DEFAULT_CONNECT } from '../port/contract.ts';
import type { FeedStatus } from '../port/feed.ts';
import type { AppModelParts } from './app-model-parts.ts';
import type { ChannelStates } from './connect/channel-states.ts';
import { createCaptureTotals } from './captures/capture-totals.ts';
import type { CaptureTotals } from './captures/capture-totals.ts';
import { createClock, createStoredTime, type Clock } from './time/clock.ts';
import { createTableSetup } from './view/column-choice.ts';
import type { TableSetup } from './view/column-choice.ts';
import { createCommandDesk } from './commands/commands-desk.ts';
import type { CommandDesk } from './commands/commands-desk.ts';
import type { ComposerOpening } from './composer/composer-opening.ts';
import { createConnectForm } from './connect/connect-form.ts';
import type { ConnectForm } from './connect/connect-form.ts';
import type { ConnectOptions } from './connect/connect-options.ts';
import { createConnector } from './connect/connector.ts';
import type { Connector } from './connect/connector.ts';
import type { CredentialDesk } from './auth/credential-model.ts';
import { createCovers } from './covers.ts';
import { createDrawing } from './diagram/drawing.ts';
import type { FirstStepsDesk } from './captures/first-steps.ts';
import { createIssues } from './view/issues.ts';
import type { Issues } from './view/issues.ts';
import { createLateChannels } from './connect/late-channels.ts';
import { createLoadMeter } from './load.ts';
import type { LoadMeter } from './load.ts';
import { createOptionsDesk } from './connect/options-desk.ts';
import type { OptionsDesk } from './connect/options-desk.ts';
import { createQuestions } from './answers/questions.ts';
import type { Questions } from './answers/questions.ts';
import { createMessageView } from './detail/message-view.ts';
import type { MessageView } from './detail/message-view.ts';
import { loadRecentServers } from './connect/recent-servers.ts';
import type { RecentServers } from './connect/recent-servers.ts';
import { createUpdateDesk } from './connect/update-desk.ts';
import type { UpdateDesk } from './connect/update-desk.ts';
import type { WatchInspected } from './connect/page-host.ts';
import { reconnect } from './connect/reconnect.ts';
import { createReplay } from './replay/replay.ts';
import type { Replay } from './replay/replay.ts';
import type { Replayed } from './replay/replay-fill.ts';
import { createSecrets } from './detail/secrets.ts';
import type { PeekBytes } from './search/search-bytes.ts';
import type { OpenSearchWorker } from './search/search-regex.ts';
import type { Secrets } from './detail/secrets.ts';
import type { SettingsDesk } from './settings-model.ts';
import { createSelection } from './view/selection.ts';
import type { ServerDesk } from './server/server-model.ts';
import type { Selection } from './view/selection.ts';
import type { StorageDesk } from './captures/storage-model.ts';
import type { TimeModel } from './time/time-model.ts';
import { createReportLog } from './report/transport-report-log.ts';
import type { ReportDesk } from './report/transport-report-model.ts';
import { createPreviewedView, showWholeWhenRead } from './view/previewed-view.ts';
import type { TrafficView } from './view/traffic-view.ts';
import { rememberView } from './view/view-memory.ts';

/** The panel's root object: all that it shows and does, without a browser. */
export interface AppModel {
  /** What the rows that are shown mean: while a long capture is read, that is its end only. */
  readonly correlation: Correlation;
  /** All that has been read so far. */
  recorded: Correlation;
  traffic: TrafficView;
  /** How the traffic is laid out on screen. */
  setup: TableSetup;
  /** The traffic over time; comes a moment after the first paint. */
  time: ReadonlySignal<TimeModel | undefined>;
  /** Rows that came in above all others; they grow where all of a capture takes the place of its end. */
  rowsAbove: ReadonlySignal<number>;
  selection: Selection;
  totals: CaptureTotals;
  issues: Issues;
  channels: ChannelStates;
  clock: Clock;
  feed: ReadonlySignal<FeedStatus>;
  /** Whether what was stored earlier is still being read; the status of the feed counts how much of it. */
  isLoading: ReadonlySignal<boolean>;
  connections: ReadonlySignal<readonly ConnectionSummary[]>;
  recentServers: RecentServers;
  form: ConnectForm;
  options: OptionsDesk<ConnectOptions>;
  connector: Connector;
  /** Connects again to the server of a connection that is over or lost; synchronously within a click. */
  reconnect(connection: ConnectionSummary): void;
  questions: Questions;
  canRequestPermission: boolean;
  /** The form for one's own requests; it and its model are a chunk of their own. */
  composer: ComposerOpening;
  background: BackgroundFunctions;
  replay: Replay;
  secrets: Secrets;
  messageView: Signal<MessageView>;
  /** Transport reports; the screen and its model are a chunk of their own. */
  report: ReportDesk & { isOpen: Signal<boolean> };
  /** Faults on purpose; the lab is a chunk of its own. */
  lab: Pick<BackgroundFunctions, 'dropStream' | 'armFault' | 'disarmFault'>;
  /** What is stored; its screen and model are a chunk of their own. */
  storage: StorageDesk & { isOpen: Signal<boolean> };
  /** What holds for all connections; its screen and model are a chunk of their own. */
  settings: SettingsDesk & { isOpen: Signal<boolean> };
  update: UpdateDesk;
  watchInspected: WatchInspected;
  /** What an empty panel offers; it is a chunk of its own. */
  firstSteps: Omit<FirstStepsDesk, 'storage'>;
  /** Tokens that are held; their screen and model are a chunk of their own. */
  credentials: CredentialDesk;
  load: Pick<LoadMeter, 'load'>;
  /** Calls `changed` once per drawing with the rows that are new or have changed, until its result is called. */
  watch(changed: (items: ReadonlySet<Item>) => void): () => void;
  /** The search through everything; its pane and model are a chunk of their own. */
  search: { isOpen: Signal<boolean>; openWorker: OpenSearchWorker; peek: PeekBytes };
  /** The sequence diagram; its screen and model are a chunk of their own. */
  diagram: { isOpen: Signal<boolean> };
  /** What servers offer; the screen and its model are a chunk of their own. */
  server: ServerDesk;
  desk: CommandDesk;
  close(): void;
}

/** Wires feed, log, view and commands together. */
export function createAppModel(parts: AppModelParts): AppModel {
  const { correlation, held } = parts;
  const storedTime = parts.captures.shownId === undefined ? undefined : createStoredTime();
  const clock = createClock(storedTime ?? parts.clock);
  const time = signal<TimeModel | undefined>(undefined);
  void import('./time/time-model.ts').then(({ createTimeModel }) => {
    time.value = createTimeModel(correlation, traffic, clock);
  });
  const totals = createCaptureTotals();
  const reportLog = createReportLog();
  const channels = createLateChannels();
  const load = createLoadMeter(parts.clock);
  // A chunk of its own, so that it does not hold up the first paint.
  const rules = import('../lint/lint.ts').then(({ createLint }) =>
    createLint(correlation, showIssues),
  );
  const issues = createIssues(rules, showIssues);
  function showIssues(keys: ReadonlySet<string>): void {
    drawing.touchKeys(keys);
    if (keys.size > 0) drawing.schedule();
  }
  const view = createPreviewedView(correlation, {
    now: parts.clock.now,
    slices: parts.slices,
    hasIssue: (item) => issues.of(item).length > 0,
    loadLanguage: async () => (await import('./filter/filter-language.ts')).filterLanguage,
  });
  const { traffic } = view;
  if (parts.viewMemory !== undefined) rememberView(traffic, parts.viewMemory);
  const selection = createSelection(traffic);
  const desk = createCommandDesk();
  held?.onRestored(() => {
    desk.restored.value += 1;
    // What is looked at is what was missed.
    if (selection.item.value !== undefined) drawing.touch([selection.item.value]);
    drawing.schedule();
  });
  const feedStatus = signal<FeedStatus>({ kind: 'loading', loadedEvents: 0 });
  const connections = signal<readonly ConnectionSummary[]>([]);
  const isBusy = () => load.load.peek().eventsPerSecond !== undefined;
  const onNextFrame = (draw: () => void) => parts.onNextFrame(draw, isBusy());
  const drawing = createDrawing(onNextFrame, (items, keys) => {
    traffic.refresh(items, keys);
    time.value?.refresh();
    issues.refresh();
    channels.refresh();
    selection.refresh(items, keys);
  });

  showWholeWhenRead(view, { feed: feedStatus, selection, draw: drawing.now });

  const feed = parts.openFeed({
    preview: view.show,
    events(events) {
      const touched = correlation.apply(events);
      drawing.touch(touched);
      time.value?.apply(events, touched);
      issues.apply(touched);
      totals.apply(events);
      storedTime?.reach(events.at(-1)?.wallTime ?? 0);
      channels.apply(events);
      reportLog.apply(events);
      load.apply(events);
      // Not before the rules have read them, nor while they are nowhere else.
      held?.keep(events, issues.isUpToDate() && totals.storage.value.state === 'stored');
      drawing.schedule();
    },
    connections: (list) => void (connections.value = list),
    status(status) {
      if (status.kind === 'stored') storedTime?.show();
      feedStatus.value = status;
    },
    queued: load.queued,
  });

  const { background } = feed;
  const isElsewhere = parts.captures.shownId !== undefined;
  const sent = async (replayed: Replayed) => {
    const { tellReplayed } = await import('./replay/tell-replayed.ts');
    tellReplayed(replayed, { view, selection, drawing, desk, isElsewhere });
  };
  const url = signal('');
  const options = createOptionsDesk<ConnectOptions>(parts.defaults);
  const form = createConnectForm(parts.defaults, url, options);
  parts.saved.onChange(({ connect }) => form.begin({ ...DEFAULT_CONNECT, ...connect }));
  const connector = createConnector(background, parts.door);
  const recentServers = loadRecentServers(background, connections);
  const covers = createCovers();
  return {
    get correlation() {
      return view.log.value;
    },
    recorded: correlation,
    traffic,
    setup: createTableSetup(parts.settings),
    time,
    rowsAbove: view.rowsAbove,
    selection,
    totals,
    issues,
    channels,
    clock,
    feed: feedStatus,
    isLoading: computed(() => feedStatus.value.kind === 'loading'),
    connections,
    recentServers,
    form,
    options,
    connector,
    reconnect: (connection) => reconnect(connection, { ...parts, connector, form, recentServers }),
    questions: createQuestions(background, connections),
    canRequestPermission: parts.door.canRequest,
    composer: { isOpen: signal(false), toEdit: signal(undefined), settings: parts.settings },
    background,
    replay: createReplay({
      background,
      source: view.log,
      connections,
      sent: (replayed) => void sent(replayed),
    }),
    secrets: createSecrets(background),
    messageView: createMessageView(parts.settings),
    report: {
      isOpen: covers.report,
      log: reportLog,
      background,
      door: parts.door,
      form,
      loadShelf: parts.captures.loadShelf,
    },
    lab: background,
    storage: {
      isOpen: covers.storage,
      background,
      ...parts.captures,
      dropped: signal([]),
      ...(parts.settings === undefined ? {} : { settings: parts.settings }),
    },
    credentials: { isOpen: covers.credentials, background },
    update: createUpdateDesk(background, { connections, watchUpdate: parts.watchUpdate }),
    watchInspected: parts.watchInspected,
    firstSteps: parts.firstSteps,
    settings: {
      isOpen: covers.settings,
      store: parts.saved,
      background,
      defaults: DEFAULT_CONNECT,
    },
    load,
    watch: drawing.watch,
    search: {
      isOpen: signal(false),
      openWorker: parts.openSearchWorker,
      peek: async (events) => held?.peek(events) ?? new Map(),
    },
    diagram: { isOpen: covers.diagram },
    server: { isOpen: covers.server, wanted: signal(undefined), loadVisits: parts.loadVisits },
    desk,
    close: () => feed.close(),
  };
}
