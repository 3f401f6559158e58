import { signal } from '@preact/signals-core';
import type { WireEvent } from '../../capture/wire-event.ts';
import type { ChannelStates } from './channel-states.ts';

/** The ways to the servers, followed by code that comes a moment after the first paint. It misses nothing. */
export function createLateChannels(): ChannelStates {
  const states = signal<ChannelStates | undefined>(undefined);
  let unread: (readonly WireEvent[])[] = [];

  void import('./channel-states.ts').then(({ createChannelStates }) => {
    const loaded = createChannelStates();
    for (const events of unread) loaded.apply(events);
    unread = [];
    loaded.refresh();
    states.value = loaded;
  });

  return {
    of: (connectionId) => states.value?.of(connectionId),
    apply(events) {
      if (states.value === undefined) unread.push(events);
      else states.value.apply(events);
    },
    refresh: () => states.value?.refresh(),
  };
}
