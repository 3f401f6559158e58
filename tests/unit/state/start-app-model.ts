import { afterAll } from 'vitest';
import { createCorrelation } from '../../../lib/capture/correlate/correlate.ts';
import type { BackgroundFunctions } from '../../../lib/port/contract.ts';
import type { FeedHandlers } from '../../../lib/port/feed.ts';
import type { AppModelParts } from '../../../lib/state/app-model-parts.ts';
import { createAppModel } from '../../../lib/state/app-model.ts';
import { DEFAULTS, fakeBackground } from './fakes.ts';

// What a model loads by itself has to be there before the environment goes.
afterAll(() =>
  Promise.all([
    import('../../../lib/lint/lint.ts'),
    import('../../../lib/state/connect/channel-states.ts'),
    import('../../../lib/state/filter/filter-language.ts'),
    import('../../../lib/state/time/time-model.ts'),
  ]).then(() => undefined),
);

/** The panel's model without a browser: `feed` is what tells it of traffic, and nothing is drawn before `draw`. */
export function startAppModel(
  parts: Partial<AppModelParts> = {},
  behaviour: Partial<BackgroundFunctions> = {},
) {
  const draws: (() => void)[] = [];
  const { background, calls } = fakeBackground(behaviour);
  let feed: FeedHandlers | undefined;
  const model = createAppModel({
    openFeed(handlers) {
      feed = handlers;
      return { background, close: () => undefined };
    },
    correlation: createCorrelation(),
    door: {
      canRequest: true,
      hostPattern: () => undefined,
      requestHost: async () => true,
      openGrantPage: () => undefined,
    },
    defaults: DEFAULTS,
    clock: { now: () => 0, every: () => () => undefined },
    onNextFrame: (draw) => draws.push(draw),
    saved: { load: async () => ({}), save: async () => undefined, onChange: () => undefined },
    captures: {
      showCapture: () => undefined,
      openCapture: () => undefined,
      loadFiles: () => Promise.reject(new Error('There are no files here.')),
      loadShelf: () => Promise.reject(new Error('There is no shelf here.')),
    },
    watchInspected: () => () => undefined,
    watchUpdate: () => () => undefined,
    firstSteps: {
      loadExample: () => Promise.reject(new Error('There are no examples here.')),
    },
    openSearchWorker: () => ({ post: () => undefined, end: () => undefined }),
    ...parts,
  });
  if (feed === undefined) throw new Error('The model opened no feed.');
  return {
    model,
    feed,
    calls,
    draws,
    draw() {
      for (const each of draws.splice(0)) each();
    },
  };
}
