/** Begins a line that `npm test` shows although all is well. */
export const NOTE = '» ';

/** Prints what has been measured, or why time passes. */
export function note(text: string): void {
  for (const line of text.split('\n')) console.log(NOTE + line);
}
