import { browser } from 'wxt/browser';
import { BriefMap } from '../../brief-map.ts';
import type { Header } from '../../capture/store/stored-text.ts';
import type { HttpObserver } from '../../transport/exchange/http-door.ts';

/** In the fragment of every URL that we fetch; a fragment never reaches the wire. */
export const MARK = '#~';
/** Events may come a quarter of a second after the fetch has settled; none at all without host permission. */
const EVENT_WAIT_MS = 1000;
const KEPT_CALLS = 200;

const OWN_FETCHES = { urls: ['<all_urls>'], tabId: -1, types: ['xmlhttprequest'] } satisfies {
  urls: string[];
  tabId: number;
  types: 'xmlhttprequest'[];
};

/** What webRequest knows about one of our fetches. */
export interface LoggedCall {
  /** Status and headers as they came, redirects included. */
  readonly head: { status: number; statusLine: string; headers: Header[] } | undefined;
  readonly errorName: string | undefined;
  /** Resolves with true once the head or an error is known; false when neither comes in time. */
  settled(): Promise<boolean>;
  /** The same for the error alone. */
  failed(): Promise<boolean>;
}

interface Call extends LoggedCall {
  head: LoggedCall['head'];
  errorName: string | undefined;
  isOver: boolean;
  observer: HttpObserver;
  waiting: (() => void)[];
}

/** webRequest's view of our own fetches, correlated exactly. Registers its listeners at once: call in the first tick. */
export function openRequestLog() {
  const calls = new BriefMap<string, Call>();
  const byRequest = new BriefMap<string, Call>();
  const { webRequest } = browser;
  const ownOrigin = new URL(browser.runtime.getURL('/')).origin;

  webRequest.onBeforeRequest.addListener((details) => {
    const call = calls.get(markOf(details.url) ?? '');
    if (call !== undefined && isOwn(details, ownOrigin)) byRequest.set(details.requestId, call);
    return undefined;
  }, OWN_FETCHES);

  webRequest.onSendHeaders.addListener(
    (details) => {
      const call = byRequest.get(details.requestId);
      call?.observer.sent(toHeaders(details.requestHeaders), addedBelow(details.method));
    },
    OWN_FETCHES,
    withExtraHeaders('requestHeaders', webRequest.OnSendHeadersOptions),
  );

  webRequest.onHeadersReceived.addListener(
    (details) => {
      const call = byRequest.get(details.requestId);
      if (call === undefined) return undefined;
      const headers = toHeaders(details.responseHeaders);
      call.head = { status: details.statusCode, statusLine: details.statusLine, headers };
      call.observer.received(details.statusLine, headers);
      wake(call);
      return undefined;
    },
    OWN_FETCHES,
    withExtraHeaders('responseHeaders', webRequest.OnHeadersReceivedOptions),
  );

  webRequest.onResponseStarted.addListener((details) => {
    const address = details.ip;
    byRequest.get(details.requestId)?.observer.connection({
      fromCache: details.fromCache,
      ...(address === undefined || address === null ? {} : { address }),
    });
  }, OWN_FETCHES);

  webRequest.onCompleted.addListener((details) => finish(details.requestId), OWN_FETCHES);
  webRequest.onErrorOccurred.addListener(
    (details) => finish(details.requestId, details.error),
    OWN_FETCHES,
  );

  function finish(requestId: string, errorName?: string): void {
    const call = byRequest.get(requestId);
    byRequest.delete(requestId);
    if (call === undefined) return;
    call.isOver = true;
    // Chrome reports a redirect that was not followed as aborted.
    const isRedirect = call.head !== undefined && call.head.status >= 300 && call.head.status < 400;
    if (!isRedirect && errorName !== undefined) call.errorName = errorName;
    wake(call);
  }

  function wake(call: Call): void {
    for (const resume of call.waiting.splice(0)) resume();
  }

  return {
    /** The URL to fetch, so that the events of the fetch can be told from all others. */
    mark: (url: string, httpId: string) => `${url}${MARK}${httpId}`,
    watch(httpId: string, observer: HttpObserver): LoggedCall {
      prune();
      const call: Call = {
        head: undefined,
        errorName: undefined,
        isOver: false,
        observer,
        waiting: [],
        settled: () => waitFor(call, () => call.head !== undefined || call.errorName !== undefined),
        failed: () => waitFor(call, () => call.errorName !== undefined),
      };
      calls.set(httpId, call);
      return call;
    },
    find: (httpId: string): LoggedCall | undefined => calls.get(httpId),
  };

  function prune(): void {
    if (calls.size < KEPT_CALLS) return;
    for (const [httpId, call] of calls) if (call.isOver) calls.delete(httpId);
  }
}

async function waitFor(call: Call, isKnown: () => boolean): Promise<boolean> {
  if (isKnown() || call.isOver) return isKnown();
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, EVENT_WAIT_MS);
    call.waiting.push(() => {
      clearTimeout(timer);
      resolve();
    });
  });
  return isKnown();
}

function markOf(url: string): string | undefined {
  const at = url.lastIndexOf(MARK);
  return at < 0 ? undefined : url.slice(at + MARK.length);
}

/** Chrome names the initiator's origin, Firefox the URL of its document. */
function isOwn(details: { initiator?: string; originUrl?: string }, ownOrigin: string): boolean {
  return (details.initiator ?? details.originUrl ?? '').startsWith(ownOrigin);
}

function toHeaders(headers: { name: string; value?: string | undefined }[] | undefined): Header[] {
  return (headers ?? []).map(({ name, value }) => ({ name, value: value ?? '' }));
}

/** Chrome hides `Origin`, `Cookie` and others unless asked with an option that Firefox refuses. */
function withExtraHeaders<Option extends string>(
  base: Option,
  options: { EXTRA_HEADERS?: string } | undefined,
): Option[] {
  const extra = options?.EXTRA_HEADERS;
  return extra === undefined ? [base] : [base, extra as Option];
}

/** A fetch with `cache: 'no-store'` gets these below the layer that webRequest sees. */
function addedBelow(method: string): Header[] {
  return method === 'GET'
    ? [
        { name: 'Cache-Control', value: 'no-cache' },
        { name: 'Pragma', value: 'no-cache' },
      ]
    : [];
}
