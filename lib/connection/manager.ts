import { AppError } from '../errors.ts';
import type { Recorder } from '../capture/recorder.ts';
import type { Secrets } from '../capture/secrets.ts';
import type { OriginPolicy } from '../capture/store/stored-profile.ts';
import type { WireFact } from '../capture/wire-event.ts';
import type { ConnectionSummary, ConnectRequest, HubFunctions } from '../port/contract.ts';
import type { HttpDoor } from '../transport/exchange/http-door.ts';
import { httpForm, type SocketDoor } from '../transport/websocket/socket-door.ts';
import { createNetwork } from '../transport/network.ts';
import type { Slots } from '../transport/exchange/slots.ts';
import type { createAccess } from './wishes/access.ts';
import type { Authorizing } from './auth/authorizing.ts';
import type { ConnectionCheckpoint } from './survival/checkpoint.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { cookieDoor, cookieSocketDoor } from './cookies.ts';
import { createLab, type LabParts } from './lab.ts';
import { checkProfile, keepSecrets, storedProfile, type Profile } from './profile.ts';
import type { EraCache } from './connect/era-cache.ts';
import { createOutages, type Outages } from './survival/outages.ts';
import type { RecentServers } from './wishes/recent-servers.ts';
import { late } from './late.ts';
import { createLiveAnswers } from './questions/live-answers.ts';
import type { createReports } from './report/report.ts';
import { createSending, type SendingParts } from './raw/sending.ts';
import { createSurvival } from './survival/survival.ts';
import { createWishes, type Wish } from './wishes/wishes.ts';

/** The platform, as far as connections need it. */
export interface ManagerDoors {
  http: HttpDoor;
  socket: SocketDoor;
  /** The host pattern that covers a URL, as this browser grants them. */
  hostPattern(url: string): string;
  hasPermission(hostPattern: string): Promise<boolean>;
  /** A connection that waited for the user's permission goes on. */
  wishGranted?(): void;
  /** Makes our requests to exactly this URL carry the wanted `Origin`; rejects where two want different ones. */
  setOrigin(connectionId: string, url: string, policy: OriginPolicy): Promise<void>;
  clearOrigin(connectionId: string): Promise<void>;
  keepAlive(isOn: boolean): void;
  /** Wishes outlive a restart of the worker: the browser may stop it while the user reads the question. */
  loadWishes(): Promise<Wish[]>;
  saveWishes(wishes: Wish[]): Promise<void>;
  /** Connections that are open, with their headers: in memory, and only as long as the browser lives. */
  loadOpen(): Promise<Wish[]>;
  saveOpen(open: Wish[]): Promise<void>;
}

export interface ManagerOptions {
  doors: ManagerDoors;
  recorder: Recorder;
  secrets: Secrets;
  recents: RecentServers;
  eras?: EraCache;
  clientVersion: string;
  slots?: Slots;
  /** Absent where a server that asks for authorization gets none. */
  authorizing?: Authorizing;
  /** What most lives of the worker never need. */
  loadAccess(): Promise<typeof createAccess>;
  loadReports(): Promise<typeof createReports>;
  loadRaw: SendingParts['loadRaw'];
  loadFaults: LabParts['loadFaults'];
  newId(): string;
  now(): number;
  changed(list: ConnectionSummary[]): void;
}

export interface Manager extends Outages {
  /** What pages are told of connections has changed. */
  changed(): void;
  functions: HubFunctions & Partial<Authorizing['functions']>;
  /** The browser granted or took away hosts. */
  permissionsAdded(): Promise<void>;
  permissionsRemoved(): Promise<void>;
  /**
   * Takes up what an earlier life of the worker left: wishes, and connections as `checkpoint` has them.
   * `awayMs` is how long there was no worker.
   */
  restore(checkpoint?: string, awayMs?: number): Promise<void>;
  /** Lists a connection that is over. */
  end(summary: ConnectionSummary): void;
  /** What a later life would need, as text; `undefined` before this one has taken up what it found. */
  checkpoint(): string | undefined;
}

/** What is left of a connection of an earlier life. */
interface Revived {
  checkpoint?: ConnectionCheckpoint;
  awayMs: number;
}

/** All connections, and the calls that pages make about them. */
export function createManager(options: ManagerOptions): Manager {
  const { doors, recorder, secrets, recents, authorizing } = options;
  const connections = new Map<string, Connection>();
  /** What was asked for, by the id of its connection. */
  const known = new Map<string, Wish>();
  const record = (fact: WireFact, id: string) => void recorder.record(fact, id);
  const wishes = createWishes({ ...doors, record, open: (wish) => open(wish), changed });
  const access = late(options.loadAccess, { ...doors, connections, known, record });
  const survival = createSurvival({ connections, ...doors });
  const network = createNetwork();
  const outages = createOutages(connections, network, (fact) => void recorder.record(fact));
  let announced = false;
  const reports = late(options.loadReports, {
    ...options,
    keepSecrets: (profile) => keepSecrets(profile, secrets),
    createConnection: (id, profile) => createConnection(id, profile, () => undefined, plain),
    changed,
  });
  const plain = { door: doors.http, socketDoor: doors.socket };
  const lab = createLab({ ...options, record, live, changed });

  const sending = createSending({
    ...options,
    live,
    doorOf: (connectionId) => cookieDoor(doors.http, known.get(connectionId)?.profile),
    changed,
  });

  /** Tells the pages once per turn, however much changed in it. */
  function changed(): void {
    if (announced) return;
    announced = true;
    queueMicrotask(() => {
      announced = false;
      const list = summaries();
      survival.changed(list);
      authorizing?.changed(list);
      const isAnyLive = list.some(({ state }) => state !== 'closed' && state !== 'failed');
      doors.keepAlive(isAnyLive || reports.made?.areRunning === true || sending.isBusy);
      options.changed(list);
    });
  }

  function summaries(): ConnectionSummary[] {
    const opened = [...connections.values()].map(({ summary }) => {
      const annotated = lab.annotate(summary);
      return authorizing?.annotate(annotated) ?? annotated;
    });
    return [...opened, ...wishes.summaries].toSorted((a, b) => a.since - b.since);
  }

  async function connect(request: ConnectRequest): Promise<{ connectionId: string }> {
    const profile = checkProfile(request);
    const connectionId = options.newId();
    const hostPattern = doors.hostPattern(profile.url);
    keepSecrets(profile, secrets);
    recorder.record({ kind: 'connection-opened', profile: storedProfile(profile) }, connectionId);
    const wish: Wish = { connectionId, profile, hostPattern, since: options.now() };
    known.set(connectionId, wish);
    if (await doors.hasPermission(hostPattern)) open(wish);
    else await wishes.add(wish);
    return { connectionId };
  }

  /** Before anything is done about a wish. */
  function know(wish: Wish): void {
    keepSecrets(wish.profile, secrets);
    known.set(wish.connectionId, wish);
  }

  function open(wish: Wish, revived?: Revived): void {
    const { connectionId, profile } = wish;
    const connection = createConnection(connectionId, profile, changed, lab.open(connectionId));
    connections.set(connectionId, connection);
    survival.add(wish);
    changed();
    void start(connection, profile, revived);
  }

  function createConnection(
    connectionId: string,
    profile: Profile,
    onChange: () => void,
    through: Pick<ConnectionOptions, 'door' | 'socketDoor' | 'faults'>,
  ) {
    return new Connection({
      ...through,
      door: cookieDoor(through.door, profile),
      socketDoor: cookieSocketDoor(through.socketDoor, profile),
      profile,
      connectionId,
      recorder,
      network,
      newHttpId: options.newId,
      keepSecret: (value) => void secrets.register(value),
      ...(options.slots === undefined ? {} : { slots: options.slots }),
      ...(options.eras === undefined ? {} : { eras: options.eras }),
      ...authorizing?.authorizerFor(connectionId, profile, through !== plain),
      client: profile.client?.info ?? options.clientVersion,
      fingerprint: secrets.register,
      reveal: secrets.reveal,
      now: options.now,
      changed: onChange,
    });
  }

  /** Owns every failure: they all end as a state of the connection. */
  async function start(
    connection: Connection,
    profile: Profile,
    revived: Revived | undefined,
  ): Promise<void> {
    const { connectionId } = connection.summary;
    try {
      if (revived !== undefined) await authorizing?.takeUp(connectionId, profile);
      await doors.setOrigin(connectionId, httpForm(profile.url), profile.originPolicy);
    } catch (error) {
      connection.fail(error);
      return;
    }
    if (revived?.checkpoint !== undefined)
      return connection.revive(revived.checkpoint, revived.awayMs);
    if (revived === undefined) await connection.open();
    else await connection.revive(undefined, revived.awayMs);
    const { serverName } = connection.summary;
    // A list that cannot be kept is no reason to end a connection.
    await recents.remember(profile, serverName).catch(() => undefined);
  }

  function live(connectionId: string): Connection {
    const connection = connections.get(connectionId);
    const state = connection?.summary.state;
    if (connection !== undefined && (state === 'connected' || state === 'lost')) return connection;
    throw new AppError({
      code: 'not-connected',
      message: 'This connection is not open.',
      advice: 'Connect to the server again, then send.',
    });
  }

  async function disconnect(connectionId: string, terminate: boolean): Promise<void> {
    if (await wishes.drop(connectionId)) return;
    const connection = connections.get(connectionId);
    if (connection === undefined) return;
    await connection.close('user', terminate);
    await doors.clearOrigin(connectionId);
  }

  async function dismiss(connectionId: string): Promise<void> {
    await disconnect(connectionId, true);
    connections.delete(connectionId);
    lab.forget(connectionId);
    wishes.forget(connectionId);
    changed();
  }

  return {
    async permissionsAdded() {
      await wishes.granted();
      await access.use(({ added }) => added());
      await authorizing?.permissionsAdded();
    },
    permissionsRemoved: () => access.use(({ removed }) => removed()),
    changed,
    checkpoint: survival.checkpoint,
    ...outages,
    end: wishes.end,
    async restore(checkpoint, awayMs = 0) {
      for (const { wish, ...found } of await survival.load(checkpoint)) {
        know(wish);
        open(wish, { ...found, awayMs });
      }
      survival.begin();
      await wishes.restore(know);
      changed();
    },
    functions: {
      connect,
      async permissionAnswered(connectionId, granted) {
        await wishes.answered(connectionId, granted);
        authorizing?.permissionAnswered(connectionId, granted);
      },
      disconnect,
      dismiss,
      ...sending.functions,
      answer: async (connectionId, rpcId, answer) => live(connectionId).answer(rpcId, answer),
      cancel: async (connectionId, rpcId) => live(connectionId).cancel(rpcId),
      async reveal(fingerprints) {
        const held = fingerprints.map((key) => [key, secrets.reveal(key)] as const);
        return Object.fromEntries(held.filter((entry): entry is [string, string] => !!entry[1]));
      },
      ...lab.functions,
      ...createLiveAnswers({ survival, record }),
      ...authorizing?.functions,
      report: (request) => reports.use((made) => made.start(request)),
      stopReport: async (reportId) => reports.made?.stop(reportId),
      recentServers: recents.list,
      forgetServer: recents.forget,
      keepServers: recents.keep,
    },
  };
}
