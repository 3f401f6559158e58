import type { Problem } from '../errors.ts';
import type { AuthQuestion } from '../capture/auth-fact.ts';
import type { AuthSettings } from '../capture/auth-settings.ts';
import type { ArmedFault, Fault, FaultPlace, ResumeChoice } from '../capture/correlate/fault.ts';
import type { StorageReport } from '../capture/store/retention.ts';
import type { OriginPolicy, Reconnection } from '../capture/store/stored-profile.ts';
import type { TransportChoice, TransportKind } from '../capture/store/stored-profile.ts';
import type { Era } from '../capture/wire-event.ts';
import type { PlayedClient, SendFunctions } from './send-contract.ts';

/** A header that the user gives; `secret` values are never stored on disk. */
export interface ProfileHeader {
  name: string;
  value: string;
  secret: boolean;
}

/** What to connect to and how. */
export interface ConnectRequest {
  /** As typed. */
  url: string;
  headers: ProfileHeader[];
  originPolicy: OriginPolicy;
  /** The browser's cookies go to the origin of the endpoint, and those that it sets are kept; absent means neither. */
  cookies?: true;
  /** Limit on one event, body or frame, in bytes. */
  messageLimitBytes: number;
  /** Restarted by progress, in milliseconds. */
  idleTimeoutMs: number;
  openStream: boolean;
  transport: TransportChoice;
  /** Looks for the way anew, whatever an earlier connection has found. */
  probeAgain?: true;
  /** What `initialize` offers; absent means the newest legacy revision. */
  offerRevision?: string;
  reconnection: Reconnection;
  /** A session that exists already, to go on in without a handshake. */
  attach?: { session: string; revision: string; lastEventId?: string };
  /** After the server has forgotten the session: start a new one, and repeat what only reads. */
  renewSession: boolean;
  answers: AnswerPolicies;
  /** How tokens are got; absent means that the user logs in. */
  auth?: AuthSettings;
  /** Another client that is played, to see what a server makes of it. */
  client?: PlayedClient;
}

/** How the server's own requests are answered without asking the user. */
export interface AnswerPolicies {
  /** `defaults` accepts a form with the defaults of its schema. */
  elicitation: 'ask' | 'defaults' | 'decline' | 'undeclared';
  sampling: 'ask' | 'refuse' | 'undeclared';
  /** The roots that are told, or `ask`. */
  roots: { uri: string; name?: string }[] | 'ask' | 'undeclared';
}

/** A request of the server that waits for the user. */
export interface ServerQuestion {
  /** Its id, or a name of our own for what a result asks (2026-07-28, "Multi Round-Trip Requests"). */
  rpcId: string;
  /** The request of ours whose result asks, or whose task does, where it was one. */
  askedBy?: { method: string; target?: string | undefined; taskId?: string };
  method: string;
  params: unknown;
  /** Wall time, ms. */
  since: number;
}

/** The user's answer, as JSON text of the result or as an error. */
export type ServerAnswer = { resultText: string } | { code: number; message: string };

export type ConnectionState =
  | 'asking'
  | 'connecting'
  | 'connected'
  /** Was connected; the last exchange found no server. The next success makes it `connected` again. */
  | 'lost'
  | 'closing'
  | 'closed'
  | 'failed';

/** A live or just ended connection, as the popup and the connection bar show it. */
export interface ConnectionSummary {
  connectionId: string;
  url: string;
  state: ConnectionState;
  /** While asking or connecting: what is waited for, and since when (wall time, ms). */
  phase?: string;
  since: number;
  /** Host pattern that the user is asked for: while `state` is `asking`, or where it was taken away. */
  hostPattern?: string;
  transport?: TransportKind;
  era?: Era;
  revision?: string;
  serverName?: string;
  serverVersion?: string;
  /** Salted fingerprint of the session id. */
  session?: string;
  /** JSON-RPC messages in both directions. */
  messageCount: number;
  /** Oldest first. */
  questions: ServerQuestion[];
  problem?: Problem;
  /** Faults that are to strike on purpose; absent where there are none. */
  armed?: readonly ArmedFault[];
  /** The authorization that is under way for its server; absent where there is none. */
  authorization?: { chain: string; ask?: AuthAsk };
}

/** What an authorization waits for. */
export type AuthAsk =
  /** Access to a host of the authorization server, to be asked of the browser in the turn of a click. */
  | { kind: 'permission'; url: string; hostPattern: string }
  | { kind: 'decision'; question: AuthQuestion }
  /** The page of the authorization server is open; `since` is wall time, ms. */
  | { kind: 'consent'; host: string; since: number }
  /** The browser stopped the extension while a page was open; the same login can be gone on with. */
  | { kind: 'interrupted'; since: number };

/** A token that is held for one server. The token itself never travels. */
export interface HeldCredential {
  serverUrl: string;
  issuer: string;
  resource: string;
  clientId: string;
  clientSource: 'by-hand' | 'metadata-document' | 'registered';
  tokenType: 'bearer' | 'dpop';
  requestedScopes: string[];
  grantedScopes: string[];
  /** Wall time, ms. */
  obtainedAt: number;
  /** Wall time, ms; absent where the server did not say. */
  expiresAt?: number;
  /** Fingerprint of the access token, as the log names it. */
  fingerprint: string;
  hasRefreshToken: boolean;
  /** Whether it outlives the browser. */
  isOnDisk: boolean;
  /** Where the token is a JWT: what stands in it, as JSON text, verified by nobody. */
  jwt?: { header: string; claims: string };
}

/** How we are registered with an authorization server. */
export interface RegisteredClient {
  issuer: string;
  clientId: string;
  redirectUri?: string;
  hasSecret: boolean;
  /** Wall time, ms; absent where it does not expire, or there is none. */
  secretExpiresAt?: number;
}

/** Where authorization servers may redirect to, for clients that are registered by hand. */
export interface RedirectUris {
  identity: string;
  loopback: string;
}

/** What a page can ask about authorizations and tokens. */
export interface AuthFunctions {
  /** Answers what an authorization asks: a permission as the browser gave it, or a decision. */
  authAnswer(connectionId: string, answer: boolean): Promise<void>;
  /** Opens the page of an interrupted login again. */
  authGoOn(connectionId: string): Promise<void>;
  /** Gives the authorization up that is under way for the server of a connection. */
  authStop(connectionId: string): Promise<void>;
  credentials(): Promise<HeldCredential[]>;
  /** What was registered by itself, whether a token is held of it or not. */
  clients(): Promise<RegisteredClient[]>;
  /** Has the token of a server revoked where that can be, and forgets it. */
  signOut(serverUrl: string): Promise<void>;
  /** Only forgets it. */
  forgetCredential(serverUrl: string): Promise<void>;
  /** Makes a token look expired: the next request refreshes it first. */
  expireCredential(serverUrl: string): Promise<void>;
  /** Breaks a token: the next request is answered 401. */
  corruptCredential(serverUrl: string): Promise<void>;
  /** Forgets how we are registered with an authorization server: the next login registers anew. */
  forgetClient(issuer: string): Promise<void>;
  redirectUris(): Promise<RedirectUris>;
  /** The client ID metadata document that is to be hosted at a URL, as text. */
  clientMetadata(url: string): Promise<string>;
}

/** What a request says besides URL and headers that holds for every connection to a server. */
export type ServerOptions = Omit<ConnectRequest, 'url' | 'headers' | 'attach' | 'probeAgain'>;

/** A server that was tried before, whatever came of it, or was imported. Values that are secret stay out. */
export interface RecentServer {
  url: string;
  name?: string;
  headers: ProfileHeader[];
  usedAt: number;
  options?: Partial<ServerOptions>;
  /** Imported: it stays until the user forgets it. */
  isKept?: true;
}

/** How a stream is broken off, and how it is to go on. */
export interface StreamDrop {
  resume: ResumeChoice;
  /** Not now, but behind the next event or frame. */
  afterEvent?: boolean;
}

/** What a page can ask of the stored captures. */
export interface StorageFunctions {
  storage(): Promise<StorageReport>;
  pinCapture(captureId: string, isPinned: boolean): Promise<void>;
  /** Deletes captures, but never the one that is being recorded. */
  deleteCaptures(captureIds: readonly string[]): Promise<void>;
  /** Sets what all captures may take, and removes the oldest ones that are over it. */
  setStorageLimit(limitBytes: number): Promise<void>;
  /** Begins a capture now, in which connections live on; resolves with its id, before anything of it is stored. */
  splitCapture(): Promise<string>;
}

/** What a page can ask of the background. Every rejection is a JSON-safe `Problem`. */
export interface BackgroundFunctions extends StorageFunctions, AuthFunctions, SendFunctions {
  /** Opens a connection; resolves with its id before anything is sent. Asks for permission first where needed. */
  connect(request: ConnectRequest): Promise<{ connectionId: string }>;
  /** The user's answer to the browser's permission prompt, where a page saw it. */
  permissionAnswered(connectionId: string, granted: boolean): Promise<void>;
  /** Closes; terminates the session first unless told otherwise. */
  disconnect(connectionId: string, terminate: boolean): Promise<void>;
  /** Forgets an ended connection in the list; the log keeps it. */
  dismiss(connectionId: string): Promise<void>;
  /** Answers a request of the server. */
  answer(connectionId: string, rpcId: string, answer: ServerAnswer): Promise<void>;
  /**
   * Answers questions by these policies from now on, where they are given; resolves with those that hold, or with
   * nothing where the connection is not open.
   */
  answers(connectionId: string, policies?: AnswerPolicies): Promise<AnswerPolicies | undefined>;
  /** Cancels a pending request of ours. */
  cancel(connectionId: string, rpcId: string): Promise<void>;
  /** Values of secrets that are still held, by fingerprint: for the raw view. */
  reveal(fingerprints: string[]): Promise<Record<string, string>>;
  /**
   * Tries every transport and revision with one server, each over a connection of its own that the log tells of
   * and the list does not; resolves with the report's id. Rejects where the host is not allowed yet.
   */
  report(request: ConnectRequest): Promise<{ reportId: string }>;
  /** Ends a report early: all its connections are closed. */
  stopReport(reportId: string): Promise<void>;
  /** Breaks off what carries messages: an exchange by its `httpId`, or a socket. Rejects where it is over. */
  dropStream(connectionId: string, carrierId: string, drop: StreamDrop): Promise<void>;
  /** Puts a fault into the next exchange or stream of a connection, for once. */
  armFault(connectionId: string, fault: Fault, place: FaultPlace): Promise<void>;
  disarmFault(connectionId: string, faultId: string): Promise<void>;
  recentServers(): Promise<RecentServer[]>;
  forgetServer(url: string): Promise<void>;
  /** Puts servers into the list, in place of those with the same URL. Secret values are left out. */
  keepServers(servers: RecentServer[]): Promise<void>;
  /** Puts the update in place that waits: pages, connections and all that is in memory end with it. */
  update(): Promise<void>;
  /** Starts the flow of events after `sequence`, and of connection summaries. */
  subscribe(afterSequence: number | 'none'): Promise<{ captureId: string; lastSequence: number }>;
  /** A page has read all that was sent to it up to `sequence`. */
  taken(sequence: number): Promise<void>;
}

/** The calls that are about connections; the flow of events is the hub's own. */
export type HubFunctions = Omit<
  BackgroundFunctions,
  'subscribe' | 'taken' | 'update' | keyof StorageFunctions | keyof AuthFunctions
>;

/** Events that travel over a port: bytes as text where they are UTF-8, as base64 otherwise. */
export type PortedBatch =
  /** Encoded events, consecutive. */
  | { kind: 'events'; captureId: string; firstSequence: number; lastSequence: number; json: string }
  /** Too large for a message: the page reads the stored blocks of this range. */
  | { kind: 'stored'; captureId: string; firstSequence: number; lastSequence: number };

/** What the background tells a page. */
export interface PageFunctions {
  events(batch: PortedBatch): void;
  connections(list: ConnectionSummary[]): void;
  /** Bytes of a connection that wait to be stored. */
  queued(connectionId: string, sizeBytes: number): void;
}

export type { Reconnection };

/** Port names, one per kind of page. */
export const PORT_NAME = 'wirescope';

export const DEFAULT_CONNECT: Omit<ConnectRequest, 'url'> = {
  headers: [],
  originPolicy: { kind: 'none' },
  messageLimitBytes: 16 * 1024 * 1024,
  idleTimeoutMs: 60_000,
  openStream: true,
  transport: 'auto',
  reconnection: { initialDelayMs: 1000, maxDelayMs: 30_000, factor: 1.5, retries: 2 },
  renewSession: true,
  answers: { elicitation: 'ask', sampling: 'ask', roots: [] },
};
