const PART = /(`[^`]+`|\d{4}-\d{2}-\d{2})/;

/** A text in which what stands between backticks is code, and no revision is broken at the end of a line. */
export function ReportWords({ text }: { text: string }) {
  return (
    <>
      {text.split(PART).map((part, index) => {
        if (index % 2 === 0) return part;
        if (part.startsWith('`')) return <code key={index}>{part.slice(1, -1)}</code>;
        return (
          <span key={index} class="report-revision">
            {part}
          </span>
        );
      })}
    </>
  );
}
