import { AppError, toProblem } from '../errors.ts';
import type { createReports, ReportParts, Reports } from './report.ts';

/** Transport reports whose code is loaded with the first one. */
export function createLateReports(
  load: () => Promise<typeof createReports>,
  parts: ReportParts,
): Reports {
  let loaded: Reports | undefined;
  return {
    get areRunning() {
      return loaded?.areRunning ?? false;
    },
    async start(request) {
      const create = await load();
      loaded ??= create(parts);
      try {
        return await loaded.start(request);
      } catch (error) {
        // Errors of a script that is loaded apart are of a class of its own.
        throw new AppError(toProblem(error), { cause: error });
      }
    },
    stop: async (reportId) => loaded?.stop(reportId),
  };
}
