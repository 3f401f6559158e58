import { notification, openStream, send, sendEvent } from '../exchange.ts';
import type { Fault, Faults } from '../fault.ts';

/** A GET stream of counted events, `e1` to `e3` at first; `then` says what comes after the last id of a client. */
function counted(about: string, then: (last: number) => number[]): Fault {
  return {
    about: `a GET stream that is resumed ${about}`,
    at: 'GET',
    answer(exchange) {
      const cursor = exchange.request.headers['last-event-id'];
      const last = Number(/^e(\d+)$/.exec(String(cursor))?.[1] ?? 0);
      const response = openStream(exchange);
      const numbers = cursor === undefined ? [1, 2, 3] : then(last);
      for (const number of numbers) {
        const text = notification('notifications/message', { level: 'info', data: number });
        sendEvent(response, text, `e${number}`);
      }
    },
  };
}

/** Ways in which a stream goes on after `Last-Event-ID`. */
export const resumptionFaults: Faults = {
  'resume-clean': counted('where it was left', (last) => [last + 1, last + 2]),
  'resume-gap': counted('with two events missing', (last) => [last + 1, last + 4]),
  'resume-duplicate': counted('one event too early', (last) => [last, last + 1]),
  'resume-from-start': counted('from its start, whatever is asked for', () => [1, 2, 3, 4]),
  'resume-reordered': counted('in another order', (last) => [last + 2, last + 1]),
  'resume-foreign': {
    about: 'a GET stream that is resumed with the response to a call',
    at: 'GET',
    answer(exchange) {
      const isResumed = exchange.request.headers['last-event-id'] !== undefined;
      const alien = '{"jsonrpc":"2.0","id":999,"result":{}}';
      const log = notification('notifications/message', { level: 'info', data: 1 });
      const [text, id] = isResumed ? [alien, 'p1'] : [log, 'e1'];
      sendEvent(openStream(exchange), text, id);
    },
  },
  'resume-refused': {
    about: 'a GET stream with ids that is never resumed (400)',
    at: 'GET',
    answer(exchange) {
      if (exchange.request.headers['last-event-id'] !== undefined) return send(exchange, 400);
      const log = notification('notifications/message', { level: 'info', data: 1 });
      sendEvent(openStream(exchange), log, 'e1');
    },
  },
};
