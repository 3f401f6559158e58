/**
 * Begins to note how long the page takes to answer a key: from the press until the next picture. It runs in the
 * page: it sees nothing of this file.
 */
export function watchAnswers(): void {
  const { dataset } = document.documentElement;
  dataset['answers'] = '';
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) {
      if (name === 'keydown') dataset['answers'] += `${Math.round(duration)} `;
    }
    // The shortest that browsers tell of; what was faster is no news.
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
}

/** How long the answers took since then, in milliseconds: those of more than 16. */
export function readAnswers(): number[] {
  const { answers = '' } = document.documentElement.dataset;
  return answers.trim() === '' ? [] : answers.trim().split(' ').map(Number);
}
