import { expect } from '@playwright/test';
import type { Display } from '../support/xvfb.ts';

/** Rows of the screen above the panel, where the browser draws its prompt. */
const PROMPT_ROWS = 450;

/** The browser enables Allow half a second after it has drawn the prompt. */
const REST_MS = 800;

function hasChanged(display: Display, before: Buffer): () => boolean {
  return () => !display.readTop(PROMPT_ROWS).equals(before);
}

/** Waits until the screen has been at rest for a while; resolves with what is seen. */
async function readSettled(display: Display): Promise<Buffer> {
  let last = display.readTop(PROMPT_ROWS);
  let since = Date.now();
  const isSettled = () => {
    const now = display.readTop(PROMPT_ROWS);
    if (!now.equals(last)) since = Date.now();
    last = now;
    return Date.now() - since >= REST_MS;
  };
  await expect.poll(isSettled, { intervals: [50], message: 'the screen is at rest' }).toBe(true);
  return last;
}

/**
 * Answers the browser's own prompt, which no page can see, by keys; the focus starts on Deny. `ask` makes it come,
 * and `isWaiting` says whether it is still there.
 */
export async function answerPrompt(
  display: Display,
  answer: 'Allow' | 'Deny',
  ask: () => Promise<void>,
  isWaiting: () => Promise<boolean>,
): Promise<void> {
  const blank = await readSettled(display);
  await ask();
  await expect.poll(hasChanged(display, blank), { message: 'the prompt is drawn' }).toBe(true);
  await answerShownPrompt(display, answer, isWaiting);
}

/** Answers a prompt that is there, or about to be. */
export async function answerShownPrompt(
  display: Display,
  answer: 'Allow' | 'Deny',
  isWaiting: () => Promise<boolean>,
): Promise<void> {
  const prompt = await readSettled(display);
  if (answer === 'Allow') {
    await display.press('Tab');
    await expect.poll(hasChanged(display, prompt), { message: 'the focus moves' }).toBe(true);
  }
  // The browser ignores Enter for a moment, lest it be meant for the page.
  await expect(async () => {
    if (await isWaiting()) await display.press('Return');
    await expect.poll(isWaiting, { timeout: 1500 }).toBe(false);
  }).toPass();
}
