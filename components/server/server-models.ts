import type { AppModel } from '../../lib/state/app-model.ts';
import { createServerModel, type ServerModel } from '../../lib/state/server/server-model.ts';

const models = new WeakMap<AppModel, ServerModel>();

/** The model of the server screen. It outlives the screen: what was typed there is there again when it is opened. */
export function serverModelOf(model: AppModel): ServerModel {
  const found = models.get(model) ?? createServerModel(model);
  models.set(model, found);
  return found;
}
