import type { AuthDoors, AuthExchange, AuthReply } from '../../../lib/auth/auth-doors.ts';
import { createCredentials, type Credentials } from '../../../lib/auth/credentials.ts';
import { createAuthEngine, type AuthTask } from '../../../lib/auth/engine.ts';
import type { AuthQuestion } from '../../../lib/capture/auth-fact.ts';
import type { WireFact } from '../../../lib/capture/wire-event.ts';
import { AppError, toProblem, type Problem } from '../../../lib/errors.ts';

export const SERVER = 'https://mcp.example.com/mcp';
export const ISSUER = 'https://as.example.com';
const REDIRECT_URI = 'https://extension.example/callback';
const PRM = 'https://mcp.example.com/.well-known/oauth-protected-resource/mcp';
export const PRM_ROOT = 'https://mcp.example.com/.well-known/oauth-protected-resource';
export const AS_METADATA = `${ISSUER}/.well-known/oauth-authorization-server`;
export const OIDC_METADATA = `${ISSUER}/.well-known/openid-configuration`;

/** What a URL answers; what is not named answers 404. */
export type Page =
  | { status?: number; json?: unknown; text?: string; type?: string; headers?: [string, string][] }
  | 'no answer'
  | ((sent: AuthExchange, body: URLSearchParams) => Page);

export interface StageOptions {
  serverUrl?: string;
  /** Over those of a server that does everything right; `undefined` takes one away. */
  pages?: Record<string, Page | undefined>;
  settings?: Partial<AuthTask['settings']>;
  /** The answer to every question of ours. */
  answer?: boolean;
  /** Hosts that the user does not allow. */
  denied?: string[];
  /** What the browser redirects to; gets the parameters of the authorize URL. */
  redirect?: (asked: URLSearchParams) => string | undefined;
  credentials?: Credentials;
  /** What names of chains begin with. */
  life?: string;
  /** The user reads the page for as long as the test lasts. */
  waits?: true;
}

export interface Stage {
  sent: AuthExchange[];
  facts: WireFact[];
  questions: AuthQuestion[];
  /** Authorize URLs that were opened. */
  opened: URL[];
  /** Hosts that were asked for. */
  asked: string[];
  secrets: Set<string>;
  credentials: Credentials;
  /** Pages may be changed between two calls. */
  pages: Record<string, Page | undefined>;
  now: number;
  /** Resolves with why it failed, or with nothing. */
  authorize(challenge?: string, reason?: AuthTask['reason']): Promise<Problem | undefined>;
  goOn(): Promise<boolean>;
  signOut(): Promise<void>;
  /** `what verdict: reason` of every step, in order. */
  steps(what?: string): string[];
  bodies(url: string): URLSearchParams[];
}

export const metadata = (more: Record<string, unknown> = {}) => ({
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
  registration_endpoint: `${ISSUER}/register`,
  code_challenge_methods_supported: ['S256'],
  ...more,
});

/** A server and an authorization server that do everything right. */
function goodPages(): Record<string, Page | undefined> {
  let tokens = 0;
  let clients = 0;
  return {
    [PRM]: { json: { resource: SERVER, authorization_servers: [ISSUER] } },
    [AS_METADATA]: { json: metadata() },
    [`${ISSUER}/register`]: () => ({
      status: 201,
      json: { client_id: `client-${(clients += 1)}` },
    }),
    [`${ISSUER}/token`]: () => {
      tokens += 1;
      return {
        json: {
          access_token: `access-token-${tokens}`,
          refresh_token: `refresh-token-${tokens}`,
          token_type: 'Bearer',
          expires_in: 3600,
        },
      };
    },
  };
}

/** Everything around the engine, in memory. */
export function createStage(options: StageOptions = {}): Stage {
  const serverUrl = options.serverUrl ?? SERVER;
  const credentials = options.credentials ?? createCredentials();
  let chains = 0;
  const settings = () => ({ grant: 'authorization-code', ...options.settings }) as const;
  const stage: Stage = {
    sent: [],
    facts: [],
    questions: [],
    opened: [],
    asked: [],
    secrets: new Set(),
    credentials,
    pages: { ...goodPages(), ...options.pages },
    now: 1_000_000,
    async authorize(challenge = 'Bearer', reason = 'authorization') {
      chains += 1;
      try {
        await engine.authorize({
          chain: `${options.life ?? 'chain'}-${chains}`,
          serverUrl,
          settings: settings(),
          reason,
          challenge: [challenge],
        });
        return undefined;
      } catch (error) {
        return toProblem(error);
      }
    },
    goOn: () => engine.goOn(serverUrl).then((outcome) => outcome === 'authorized'),
    signOut: () => engine.signOut({ chain: 'chain-out', serverUrl, settings: settings() }),
    steps: (wanted) =>
      stage.facts.flatMap((fact) =>
        fact.kind === 'auth-step' && (wanted === undefined || fact.what === wanted)
          ? [`${fact.what} ${fact.verdict}: ${fact.reason}`]
          : [],
      ),
    bodies: (url) =>
      stage.sent.filter((each) => each.url === url).map(({ body }) => new URLSearchParams(body)),
  };

  function reply(sent: AuthExchange): AuthReply {
    let page = stage.pages[sent.url];
    while (typeof page === 'function') page = page(sent, new URLSearchParams(sent.body));
    if (page === 'no answer') {
      throw new AppError({ code: 'network-failed', message: `${sent.url} did not answer.` });
    }
    const { status = page === undefined ? 404 : 200, json, text, type, headers = [] } = page ?? {};
    const isJson = json !== undefined;
    return {
      httpId: `h${stage.sent.length}`,
      status,
      headers: [
        { name: 'content-type', value: type ?? (isJson ? 'application/json' : 'text/html') },
        ...headers.map(([name, value]) => ({ name, value })),
      ],
      text: isJson ? JSON.stringify(json) : (text ?? 'Not found'),
    };
  }

  const doors: AuthDoors = {
    send(exchange) {
      stage.sent.push(exchange);
      try {
        return Promise.resolve(reply(exchange));
      } catch (error) {
        return Promise.reject(error);
      }
    },
    consent(_chain, url) {
      const opened = new URL(url);
      stage.opened.push(opened);
      if (options.waits === true) return new Promise(() => undefined);
      const redirect = options.redirect ?? redirectWithCode;
      return Promise.resolve(redirect(opened.searchParams));
    },
    redirectUri: () => Promise.resolve(REDIRECT_URI),
    permission(_chain, url) {
      const { host } = new URL(url);
      stage.asked.push(host);
      return Promise.resolve(options.denied?.includes(host) !== true);
    },
    decide(_chain, question) {
      stage.questions.push(question);
      return Promise.resolve(options.answer ?? true);
    },
    record: (_chain, fact) => void stage.facts.push(fact),
    keepSecret: (value) => Promise.resolve(void stage.secrets.add(value)),
    now: () => stage.now,
    store: credentials.store,
  };
  const engine = createAuthEngine(behindPort(doors));
  return stage;
}

/** The same doors, with nothing but JSON going through them, as a port of a browser has it. */
function behindPort(doors: AuthDoors): AuthDoors {
  const { store } = doors;
  return {
    ...doors,
    send: async (exchange) => asJson(await doors.send(asJson(exchange))),
    decide: (chain, question) => doors.decide(chain, asJson(question)),
    record: (chain, fact) => doors.record(chain, asJson(fact)),
    store: {
      ...store,
      find: async (serverUrl) => asJson(await store.find(serverUrl)),
      save: (serverUrl, credential) => store.save(serverUrl, asJson(credential)),
      client: async (issuer) => asJson(await store.client(issuer)),
      saveClient: (client) => store.saveClient(asJson(client)),
      attempt: async (serverUrl) => asJson(await store.attempt(serverUrl)),
      saveAttempt: (attempt) => store.saveAttempt(asJson(attempt)),
    },
  };
}

function asJson<Value>(value: Value): Value {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as Value);
}

/** The redirect of a server that says nothing of `iss`, and does the rest right. */
export function redirectWithCode(
  asked: URLSearchParams,
  more: Record<string, string> = {},
): string {
  const parameters = new URLSearchParams({
    code: 'the+code/%',
    state: asked.get('state') ?? '',
    ...more,
  });
  return `${asked.get('redirect_uri')}?${parameters}`;
}
