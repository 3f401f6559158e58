import type { TransportChoice } from '../capture/store/stored-profile.ts';
import { LEGACY_REVISIONS } from './revisions.ts';

/** One way to connect that a transport report tries. */
export interface ReportCandidate {
  /** Its name in the log. */
  candidate: string;
  url: string;
  transport: TransportChoice;
  offerRevision?: string;
  /** The URL is not the user's: servers often have HTTP+SSE there. */
  isGuess: boolean;
}

/**
 * What a transport report tries for a server, the newest first. Servers that have HTTP+SSE at all often have it
 * at `/sse`, beside a Streamable HTTP endpoint at `/mcp`.
 */
export function reportCandidates(url: string): ReportCandidate[] {
  if (/^wss?:/.test(url)) {
    return [{ candidate: 'websocket', url, transport: 'websocket', isGuess: false }];
  }
  const beside = sseBeside(url);
  return [
    { candidate: 'modern', url, transport: 'modern', isGuess: false },
    ...LEGACY_REVISIONS.map((offerRevision): ReportCandidate => ({
      candidate: `streamable-http ${offerRevision}`,
      url,
      transport: 'streamable-http',
      offerRevision,
      isGuess: false,
    })),
    { candidate: 'http-sse', url, transport: 'http-sse', isGuess: false },
    ...(beside === undefined
      ? []
      : [
          {
            candidate: 'http-sse beside',
            url: beside,
            transport: 'http-sse',
            isGuess: true,
          } as const,
        ]),
  ];
}

function sseBeside(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const guess = new URL(url);
  if (!/\/mcp\/?$/.test(guess.pathname)) return undefined;
  guess.pathname = guess.pathname.replace(/mcp\/?$/, 'sse');
  return guess.href;
}
