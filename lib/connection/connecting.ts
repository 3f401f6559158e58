import type { Rung } from '../capture/wire-event.ts';
import type { EraCache } from './era-cache.ts';
import { attach, type EstablishContext } from './establish.ts';
import type { ServerIdentity } from './handshake.ts';
import { climb, resume, type Established } from './ladder.ts';
import type { Profile } from './profile.ts';

/** Connects, for the first time or again; rejects with an `AppError`. */
export type Connect = (existing?: Profile['attach']) => Promise<ServerIdentity>;

/** The first time looks for a way, with what earlier connections have found; later ones take the same again. */
export function createConnect(
  context: EstablishContext,
  eras: EraCache | undefined,
  now: () => number,
): Connect {
  let found: Rung | undefined;

  return async (existing) => {
    if (existing !== undefined) {
      found = 'streamable-http';
      return attach(context, existing);
    }
    if (found !== undefined) return identityOf(await resume(context, found));
    const { transport, url } = context.profile;
    const isOpenChoice = transport === 'auto';
    const known = isOpenChoice ? await eras?.recall(url) : undefined;
    let established: Established;
    try {
      established = await climb(context, known, now);
    } catch (error) {
      // What was known has led nowhere: the next time begins at the top.
      if (known !== undefined) void eras?.drop(url);
      throw error;
    }
    found = established.rung;
    if (isOpenChoice) void eras?.keep(url, found);
    return identityOf(established);
  };
}

function identityOf({ revision, serverName, serverVersion }: ServerIdentity): ServerIdentity {
  return {
    revision,
    ...(serverName === undefined ? {} : { serverName }),
    ...(serverVersion === undefined ? {} : { serverVersion }),
  };
}
