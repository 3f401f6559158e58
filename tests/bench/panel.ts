import { benchBursts, benchIdle } from './panel-burst.ts';
import { benchOpening } from './panel-capture.ts';
import { benchView } from './panel-view.ts';

/** The built extension in a real Chromium, its panel open in a tab. */
export async function benchPanel(): Promise<Record<string, number>> {
  return {
    ...(await benchIdle()),
    ...(await benchBursts()),
    ...(await benchView()),
    ...(await benchOpening()),
  };
}
