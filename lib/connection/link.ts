import type { Era } from '../capture/wire-event.ts';
import type { Header } from '../capture/store/stored-text.ts';
import { modernCall } from '../protocol/modern-call.ts';
import { MODERN_REVISIONS } from '../protocol/revisions.ts';
import type { Transport } from '../transport/transport.ts';
import type { ClientIdentity } from '../port/send-contract.ts';
import { clientInfo } from './connect/handshake.ts';
import type { ToolHeaders } from './requests/tool-headers.ts';

/** What carries the messages of a connection, and in which era they are written. */
export interface Link {
  transport: Transport;
  era: Era;
}

/** Version of this extension, or the client that is played. */
export type Client = string | ClientIdentity;

/** A request as it goes out. */
export interface WrittenRequest {
  paramsText: string | undefined;
  headers?: Header[];
}

/** Writes requests as an era wants them; legacy ones are sent as given. */
export type WriteRequest = (
  era: Era,
  method: string,
  paramsText: string | undefined,
) => WrittenRequest;

/** A writer for one client; `capabilities` are asked for again with every request. */
export function createWriter(
  client: Client,
  capabilities: () => object,
  tools: Pick<ToolHeaders, 'of'>,
): WriteRequest {
  return (era, method, paramsText) => {
    if (era === 'legacy') return { paramsText };
    const envelope = {
      protocolVersion: MODERN_REVISIONS[0],
      clientInfo: clientInfo(client),
      clientCapabilities: capabilities(),
    };
    return modernCall(method, paramsText, envelope, tools.of);
  };
}
