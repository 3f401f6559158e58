import type { PortLike } from '../../lib/port/channel.ts';

/** One end of a pair of ports in memory, which behave as `runtime.Port`s do in Chrome. */
export interface TestPort extends PortLike {
  readonly isOpen: boolean;
  /** Messages that this end has sent, as the wire carries them. */
  readonly sent: string[];
}

/** A message that is on its way. */
interface Delivery {
  deliver(): void;
}

/** What decides when messages arrive. Each port pair keeps its own order; pairs may overtake each other. */
export interface Wire {
  enqueue(lane: object, delivery: Delivery): void;
}

/** Delivers every message in a task of its own, in the order of sending. */
export const promptWire: Wire = {
  enqueue: (_lane, { deliver }) => void setImmediate(deliver),
};

/** A wire whose messages wait until somebody lets the next one of a lane through. */
export function createHeldWire(): Wire & { pump(pick?: (lanes: number) => number): boolean } {
  const lanes = new Map<object, Delivery[]>();
  return {
    enqueue(lane, delivery) {
      lanes.set(lane, [...(lanes.get(lane) ?? []), delivery]);
    },
    /** Delivers one message; false when none waits. */
    pump(pick = () => 0) {
      const waiting = [...lanes].filter(([, queue]) => queue.length > 0);
      if (waiting.length === 0) return false;
      const [, queue] = waiting[pick(waiting.length) % waiting.length]!;
      queue.shift()!.deliver();
      return true;
    },
  };
}

/**
 * Two linked ports. Messages are cloned through JSON; disconnecting one end tells the other, and posting to a
 * closed port throws.
 */
export function linkPorts(wire: Wire = promptWire): [TestPort, TestPort] {
  const first = createEnd();
  const second = createEnd();
  return [link(first, second, wire), link(second, first, wire)];
}

interface End {
  isOpen: boolean;
  sent: string[];
  messageListeners: ((message: unknown) => void)[];
  disconnectListeners: (() => void)[];
}

function createEnd(): End {
  return { isOpen: true, sent: [], messageListeners: [], disconnectListeners: [] };
}

function link(own: End, other: End, wire: Wire): TestPort {
  return {
    get isOpen() {
      return own.isOpen;
    },
    sent: own.sent,
    postMessage(message) {
      if (!own.isOpen) throw new Error('Attempting to use a disconnected port object');
      const json = JSON.stringify(message);
      own.sent.push(json);
      wire.enqueue(own, {
        deliver() {
          if (!other.isOpen) return;
          for (const listener of other.messageListeners) listener(JSON.parse(json));
        },
      });
    },
    disconnect() {
      if (!own.isOpen) return;
      own.isOpen = false;
      wire.enqueue(own, {
        deliver() {
          if (!other.isOpen) return;
          other.isOpen = false;
          for (const listener of other.disconnectListeners) listener();
        },
      });
    },
    onMessage: { addListener: (listener) => void own.messageListeners.push(listener) },
    onDisconnect: { addListener: (listener) => void own.disconnectListeners.push(listener) },
  };
}
