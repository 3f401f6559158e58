/** What is promised of a figure: at most so much, or at least. */
type Budget = { atMost: number } | { atLeast: number };

const BUDGETS: Record<string, Budget> = {
  'transport.worstCallShareOfRaw': { atLeast: 0.8 },
  'transport.notificationsPerSecond': { atLeast: 200_000 },
  'transport.notificationsRatioToOfficialClient': { atLeast: 5 },
  'storage.eventsPerSecond': { atLeast: 40_000 },
  'worker.killToResumedMs': { atMost: 1000 },
  'worker.burst10000.cpuSeconds': { atMost: 2 },
  'panel.burst1000.cpuSeconds': { atMost: 0.3 },
  'panel.burst10000.cpuSeconds': { atMost: 2 },
  'panel.burst10000.longestTaskMs': { atMost: 50 },
  'panel.burst10000.domNodes': { atMost: 1000 },
  'panel.burst10000.heapMB': { atMost: 60 },
  'panel.openCapture100000.usableMs': { atMost: 500 },
  'panel.openCapture100000.loadedMs': { atMost: 3000 },
  'panel.openCapture100000.heapMB': { atMost: 120 },
  'panel.openCapture100000.longestTaskMs': { atMost: 50 },
  'panel.openCapture100000.longestTaskScrollingMs': { atMost: 50 },
  'panel.filterKey100000Ms': { atMost: 100 },
  'panel.firstByteToRowMedianMs': { atMost: 25 },
  'har.import100MBSeconds': { atMost: 10 },
  'har.import100MBLongestTaskMs': { atMost: 50 },
  'size.panelKB': { atMost: 70 },
  'size.workerKB': { atMost: 60 },
  'size.popupKB': { atMost: 20 },
};

/** What is promised of a figure, in words, and whether it holds; empty where nothing is. */
export function judgeFigure(key: string, value: number): { budget: string; holds: string } {
  const budget = BUDGETS[key];
  if (budget === undefined) return { budget: '', holds: '' };
  return 'atMost' in budget
    ? { budget: `≤ ${budget.atMost}`, holds: value <= budget.atMost ? 'yes' : 'NO' }
    : { budget: `≥ ${budget.atLeast}`, holds: value >= budget.atLeast ? 'yes' : 'NO' };
}
