import { AppError, toProblem } from '../errors.ts';

/** Something whose code is loaded when it is first needed. */
export interface Late<Made> {
  /** Absent as long as nobody has needed it. */
  readonly made: Made | undefined;
  /** Does something with it; rejects with an `AppError`, also where its code cannot be loaded. */
  use<Result>(work: (made: Made) => Promise<Result>): Promise<Result>;
}

/** Makes something once, of `parts`, by what `load` brings. */
export function late<Parts, Made>(
  load: () => Promise<(parts: Parts) => Made>,
  parts: Parts,
): Late<Made> {
  let made: Made | undefined;
  return {
    get made() {
      return made;
    },
    async use(work) {
      const make = await load();
      made ??= make(parts);
      try {
        return await work(made);
      } catch (error) {
        // Errors of a script that is loaded apart are of a class of its own.
        throw new AppError(toProblem(error), { cause: error });
      }
    },
  };
}
