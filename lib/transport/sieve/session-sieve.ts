import { sessionsInText } from '../../protocol/endpoint-session.ts';
import { joined, type Sieve } from './sieve.ts';

/** The beginning of a query parameter, whose name may turn out to be that of a session id. */
const BEGUN_NAME = /[?&][^=&\s"{}]{0,64}$/;

const latin1 = new TextDecoder('latin1');

/**
 * Finds the session id that an `endpoint` event announces before the bytes that hold it are recorded, so that
 * the recorder knows the secret. A chunk that ends inside an id waits for the next one: the id decides what is
 * cut out, and half of it would be stored otherwise.
 */
export function createSessionSieve(keepSecret: ((value: string) => void) | undefined): Sieve {
  let held: Uint8Array | undefined;
  return {
    admit(chunk) {
      const bytes = held === undefined ? chunk : joined(held, chunk);
      held = undefined;
      if (bytes === undefined) return undefined;
      const text = latin1.decode(bytes);
      const sessions = sessionsInText(text);
      const isOpen = sessions.at(-1)?.mayContinue === true || BEGUN_NAME.test(text);
      if (chunk !== undefined && isOpen) {
        held = bytes;
        return undefined;
      }
      for (const { value } of sessions) if (value !== '') keepSecret?.(value);
      return bytes;
    },
  };
}
