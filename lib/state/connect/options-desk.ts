import { computed, signal } from '@preact/signals-core';
import type { Signal } from '@preact/signals-core';
import type { TransportChoice } from '../../capture/store/stored-profile.ts';
import type { ConnectRequest } from '../../port/contract.ts';
import type { FormOptions } from './connect-form.ts';

/** What there is to choose about the next connection. Until somebody opens it, all is as the defaults say. */
export interface OptionsDesk<Fields extends FormOptions = FormOptions> extends FormOptions {
  isOpen: Signal<boolean>;
  transport: Signal<TransportChoice>;
  /** Their code comes when they are opened first. */
  fields: Signal<Fields | undefined>;
  defaults: Omit<ConnectRequest, 'url'>;
  /** Begins anew, with what a server is known to want or with other defaults. */
  begin(defaults: Omit<ConnectRequest, 'url'>): void;
  ask(): void;
}

/** The options of a connection, closed; the fields of their form are loaded when they are first opened. */
export function createOptionsDesk<Fields extends FormOptions>(
  defaults: Omit<ConnectRequest, 'url'>,
): OptionsDesk<Fields> {
  const fields = signal<Fields | undefined>(undefined);
  const transport = signal<TransportChoice>(defaults.transport);
  const desk: OptionsDesk<Fields> = {
    isOpen: signal(false),
    transport,
    fields,
    defaults,
    faults: computed(() => fields.value?.faults.value ?? {}),
    toOptions: () => fields.peek()?.toOptions() ?? { ...desk.defaults, transport: transport.value },
    begin(next) {
      desk.defaults = next;
      transport.value = next.transport;
      fields.value = undefined;
    },
    ask: () => void (desk.isOpen.value = true),
  };
  return desk;
}
