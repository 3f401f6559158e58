import type { Rung } from '../../capture/wire-event.ts';
import type { EraCache } from './era-cache.ts';
import { attach, type EstablishContext } from './establish.ts';
import type { ServerIdentity } from './handshake.ts';
import { climb, resume, type Established } from './ladder.ts';
import type { Profile } from '../profile.ts';

export interface Connecting {
  /** The way that was found, once there is one. */
  rung: Rung | undefined;
  /** Connects, for the first time or again; rejects with an `AppError`. */
  connect(existing?: Profile['attach']): Promise<ServerIdentity>;
}

/** The first time looks for a way, with what earlier connections have found; later ones take the same again. */
export function createConnecting(
  context: EstablishContext,
  eras: EraCache | undefined,
  now: () => number,
): Connecting {
  const { transport, url } = context.profile;
  const isOpenChoice = transport === 'auto';
  const mayRecall = isOpenChoice && context.profile.probeAgain !== true;

  const connecting: Connecting = {
    rung: undefined,
    async connect(existing) {
      if (existing !== undefined) {
        connecting.rung = 'streamable-http';
        return attach(context, existing);
      }
      if (connecting.rung !== undefined) return identityOf(await resume(context, connecting.rung));
      const known = mayRecall ? await eras?.recall(url) : undefined;
      let established: Established;
      try {
        established = await climb(context, known, now);
      } catch (error) {
        // What was known has led nowhere: the next time begins at the top.
        if (known !== undefined) void eras?.drop(url);
        throw error;
      }
      connecting.rung = established.rung;
      if (isOpenChoice && established.isUnproven !== true) void eras?.keep(url, established.rung);
      return identityOf(established);
    },
  };
  return connecting;
}

function identityOf({ revision, serverName, serverVersion }: ServerIdentity): ServerIdentity {
  return {
    revision,
    ...(serverName === undefined ? {} : { serverName }),
    ...(serverVersion === undefined ? {} : { serverVersion }),
  };
}
