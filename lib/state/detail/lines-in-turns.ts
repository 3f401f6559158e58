import { createTurns } from '../../turns.ts';

/** Makes lines that may be very many, and lets others have their turn meanwhile. */
export async function linesInTurns(lines: Iterable<string>): Promise<string[]> {
  const turns = createTurns();
  const made: string[] = [];
  for (const line of lines) {
    made.push(line);
    if (turns.isOver) await turns.next();
  }
  return made;
}
