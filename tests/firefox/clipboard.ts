import type { Firefox } from './firefox.ts';

declare const Services: {
  wm: { getMostRecentWindow(type: string): { navigator: Navigator } };
};

/** What is on the clipboard of the browser. */
export async function readClipboard({ marionette }: Firefox): Promise<string> {
  return await marionette.runPrivileged(
    async () =>
      await Services.wm.getMostRecentWindow('navigator:browser').navigator.clipboard.readText(),
  );
}
