/** Labels of a list of which none is like another: those that are the same are counted, in their order. */
export function tellApart(labels: readonly string[]): string[] {
  return labels.map((label, index) => {
    const count = labels.filter((other) => other === label).length;
    if (count === 1) return label;
    const place = labels.slice(0, index + 1).filter((other) => other === label).length;
    return `${label}, ${place} of ${count}`;
  });
}
