import { headerValue } from '../../capture/correlate/http-record.ts';
import type { Detectors, Fact } from '../facts.ts';
import { essence } from '../../protocol/diagnose.ts';
import { evidenceOf } from '../facts.ts';
import type { Finding } from '../issue.ts';
import { HDR } from '../rules/headers.ts';

type RequestFact = Fact<'http-request'>;

function accept({ event }: RequestFact): Finding | undefined {
  if (event.purpose !== 'message' && event.purpose !== 'stream') return undefined;
  const isPost = event.purpose === 'message';
  const given = headerValue(event.headers, 'accept') ?? '';
  const needed = isPost ? ['application/json', 'text/event-stream'] : ['text/event-stream'];
  const missing = needed.filter((type) => !accepts(given, type));
  if (missing.length === 0) return undefined;
  return {
    rule: isPost ? HDR.accept : HDR.acceptOfGet,
    side: 'client',
    group: isPost ? 'accept' : 'get',
    message: `The ${event.method} ${given === '' ? 'has no Accept header' : `accepts ${given}`}; it must list ${missing.join(' and ')}.`,
  };
}

/** Wildcards count: they list the type in their way. */
function accepts(given: string, type: string): boolean {
  const [main] = type.split('/', 1);
  return given
    .split(',')
    .map(essence)
    .some((range) => range === type || range === '*/*' || range === `${main}/*`);
}

function contentType({ event }: RequestFact): Finding | undefined {
  if (event.purpose !== 'message' || event.body === undefined) return undefined;
  const given = headerValue(event.headers, 'content-type');
  if (essence(given) === 'application/json') return undefined;
  return {
    rule: HDR.accept,
    severity: 'warning',
    side: 'client',
    group: 'content type',
    message: `The POST has the content type ${given ?? 'of nothing'}; servers expect application/json.`,
  };
}

function version({ connection, exchange, event }: RequestFact): Finding | undefined {
  const { purpose, headers } = event;
  if (purpose !== 'message' && purpose !== 'stream' && purpose !== 'terminate') return undefined;
  if (connection.initializeResult === undefined || connection.revision === undefined)
    return undefined;
  if (exchange.methods.includes('initialize')) return undefined;
  const given = headerValue(headers, 'mcp-protocol-version');
  if (given === connection.revision) return undefined;
  return {
    rule: HDR.version,
    ...(given === undefined ? {} : { severity: 'warning' as const }),
    side: 'client',
    group: given ?? 'missing',
    message:
      given === undefined
        ? `The ${event.method} has no MCP-Protocol-Version header, although ${connection.revision} was negotiated.`
        : `The ${event.method} says MCP-Protocol-Version: ${given}, but ${connection.revision} was negotiated.`,
    evidence: [evidenceOf(event), evidenceOf(connection.initializeResult)],
  };
}

function lastEventIdOfPost({ event }: RequestFact): Finding | undefined {
  if (event.method !== 'POST') return undefined;
  if (headerValue(event.headers, 'last-event-id') === undefined) return undefined;
  return {
    rule: HDR.lastEventIdOfPost,
    side: 'client',
    group: 'post',
    message: 'A POST carries Last-Event-ID; a stream is resumed by a GET.',
  };
}

export const HEADER_DETECTORS: Detectors = {
  request: [accept, contentType, version, lastEventIdOfPost],
};
