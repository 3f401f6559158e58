import { AppError, isAboutAccess, toProblem, type Problem } from '../errors.ts';
import type { AuthStep, AuthVerdict } from '../capture/auth-fact.ts';
import { excerpt } from '../protocol/diagnose.ts';
import { isRecord } from '../record.ts';
import type { AuthDoors, AuthExchange, AuthReply } from './auth-doors.ts';
import { urlRefusal } from './safe-url.ts';

type Sent = Omit<AuthExchange, 'chain' | 'step'>;

/** One authorization while it runs: its exchanges and steps, numbered as they come. */
export interface Chain {
  readonly id: string;
  /** What the user connects to. */
  readonly serverUrl: string;
  readonly doors: AuthDoors;
  /** Why metadata could not be asked for: such a failure proves nothing about it. */
  readonly failures: readonly Problem[];
  /** Sends an exchange as the next step; rejects where its host is not allowed, or there is no answer. */
  send(exchange: Sent): Promise<AuthReply>;
  /** A step without an exchange begins; returns its number. */
  begin(): number;
  /** Says what came of the current step. */
  judge(what: AuthStep, verdict: AuthVerdict, reason: string, httpId?: string): void;
  /** Gets a JSON document; what stands in its place is judged, and `undefined`. */
  getJson(
    what: AuthStep,
    url: string,
  ): Promise<{ json: Record<string, unknown>; httpId: string } | undefined>;
}

/** A chain that has not begun a step, or goes on after the one that an earlier life had come to. */
export function createChain(doors: AuthDoors, id: string, serverUrl: string, before = 0): Chain {
  let step = before;
  const failures: Problem[] = [];
  const allowed = new Set([new URL(serverUrl).origin]);

  function judge(what: AuthStep, verdict: AuthVerdict, reason: string, httpId?: string): void {
    doors.record(id, {
      kind: 'auth-step',
      chain: id,
      step,
      what,
      verdict,
      reason,
      ...(httpId === undefined ? {} : { httpId }),
    });
  }

  function begin(): number {
    step += 1;
    return step;
  }

  async function allow(url: string): Promise<void> {
    const { origin, host } = new URL(url);
    if (allowed.has(origin)) return;
    if (!(await doors.permission(id, url))) {
      begin();
      judge('permission', 'refused', host);
      throw new AppError({
        code: 'permission-denied',
        message: `The login needs access to ${host}, which was not given.`,
        advice: `${host} belongs to the authorization server. Connect again to be asked once more.`,
      });
    }
    allowed.add(origin);
  }

  async function send(exchange: Sent): Promise<AuthReply> {
    await allow(exchange.url);
    return doors.send({ ...exchange, chain: id, step: begin() });
  }

  return {
    id,
    serverUrl,
    doors,
    failures,
    send,
    begin,
    judge,
    async getJson(what, url) {
      const refusal = urlRefusal(url, serverUrl);
      if (refusal !== undefined) {
        begin();
        judge(what, 'refused', `${url}: ${refusal}`);
        return undefined;
      }
      let reply: AuthReply;
      try {
        const headers = [{ name: 'Accept', value: 'application/json' }];
        reply = await send({ purpose: 'discovery', method: 'GET', url, headers });
      } catch (error) {
        const problem = toProblem(error);
        if (isAboutAccess(problem) || problem.code === 'aborted') throw error;
        failures.push(problem);
        judge(what, 'passed-over', problem.message);
        return undefined;
      }
      const { httpId } = reply;
      const json = readJsonObject(reply);
      if (typeof json === 'string') {
        judge(what, 'passed-over', json, httpId);
        return undefined;
      }
      const type = headerOf(reply, 'content-type');
      if (type?.includes('json') !== true) {
        judge(
          what,
          'noted',
          `its content type is ${type ?? 'absent'}, not application/json`,
          httpId,
        );
      }
      return { json, httpId };
    },
  };
}

/** First value of a header of an answer. */
export function headerOf({ headers }: AuthReply, name: string): string | undefined {
  return headers.find((header) => header.name.toLowerCase() === name)?.value;
}

/** The JSON object that an answer holds, or why it holds none. */
export function readJsonObject(reply: AuthReply): Record<string, unknown> | string {
  const { status, text, isTooLarge } = reply;
  if (status >= 300 && status < 400) {
    return `answered ${status}, a redirect to ${headerOf(reply, 'location') ?? 'nowhere'}`;
  }
  if (status !== 200) return `answered ${status}`;
  if (isTooLarge === true) return 'far too long for such a document';
  if (/^\s*</.test(text)) return 'a web page, not metadata';
  try {
    const json: unknown = JSON.parse(text);
    if (isRecord(json)) return json;
    return 'JSON, but not an object';
  } catch {
    return `not JSON: ${excerpt(text)}`;
  }
}

/** The strings of a member that should be a list of strings; `undefined` where it is none. */
export function stringsIn(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.filter((entry) => typeof entry === 'string');
}
