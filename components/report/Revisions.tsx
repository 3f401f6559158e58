const REVISION = /(\d{4}-\d{2}-\d{2})/;

/** A text whose revisions are not broken at the end of a line. */
export function Revisions({ text }: { text: string }) {
  return (
    <>
      {text.split(REVISION).map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          <span key={index} class="report-revision">
            {part}
          </span>
        ),
      )}
    </>
  );
}
