import { startEverything } from '../../server/everything.ts';
import { startFormTools } from '../../server/form-tools.ts';
import { startMisbehaving, type MisbehavingServer } from '../../server/misbehaving.ts';
import { startExtremes } from '../extremes.ts';
import { startProtected, type ProtectedServer } from '../protected.ts';

/** The servers that scenes connect to. */
export interface Stage extends AsyncDisposable {
  /** The reference server of the MCP project, legacy. */
  everything: string;
  /** One whose tools take every kind of argument. */
  forms: string;
  /** One with too many tools, whose names are too long. */
  extremes: string;
  misbehaving: MisbehavingServer;
  protectedServer: ProtectedServer;
}

export async function openStage(): Promise<Stage> {
  const everything = await startEverything();
  const forms = await startFormTools();
  const extremes = await startExtremes();
  const misbehaving = await startMisbehaving();
  const protectedServer = await startProtected();
  return {
    everything: everything.url,
    forms: forms.url(),
    extremes: extremes.url(),
    misbehaving,
    protectedServer,
    async [Symbol.asyncDispose]() {
      await protectedServer.close();
      await misbehaving.close();
      await extremes[Symbol.asyncDispose]();
      await forms[Symbol.asyncDispose]();
      await everything.close();
    },
  };
}
