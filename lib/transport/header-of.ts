import type { Header } from '../capture/store/stored-text.ts';

/** First value of a header; `name` in lower case. */
export function headerOf(headers: readonly Header[], name: string): string | undefined {
  return headers.find((header) => header.name.toLowerCase() === name)?.value;
}
