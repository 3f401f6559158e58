import { createCorrelation } from '../../../lib/capture/correlate/correlate.ts';
import { messageText } from '../../../lib/capture/correlate/http-record.ts';
import type { Item, RequestItem, StreamItem } from '../../../lib/capture/correlate/items.ts';
import type { Problem } from '../../../lib/errors.ts';
import type { LogBuilder } from '../../support/builders.ts';

export const problem: Problem = {
  code: 'network-refused',
  message: 'Nothing accepts connections.',
};
export const result = (id: string, value: unknown = {}) =>
  `{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(value)}}`;
export const failure = (id: string, message: string) =>
  `{"jsonrpc":"2.0","id":${id},"error":{"code":-32000,"message":"${message}"}}`;
export const notification = (method: string, params: unknown = {}) => ({
  jsonrpc: '2.0',
  method,
  params,
});

export function correlate(log: LogBuilder) {
  const correlation = createCorrelation();
  correlation.apply(log.events);
  const all = (kind: Item['kind']) => correlation.items.filter((item) => item.kind === kind);
  return {
    ...correlation,
    requests: all('request') as RequestItem[],
    notifications: all('notification') as (Item & { kind: 'notification' })[],
    strays: all('stray') as (Item & { kind: 'stray' })[],
    streams: all('stream') as StreamItem[],
    exchanges: all('http') as (Item & { kind: 'http' })[],
    lifecycle: all('lifecycle') as (Item & { kind: 'lifecycle' })[],
    text: (ref: RequestItem['response']) =>
      ref === undefined ? undefined : messageText(correlation.https, ref),
  };
}
