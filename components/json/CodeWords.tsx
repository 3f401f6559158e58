import { VisibleText } from './VisibleText.tsx';

const CODE = /`([^`]+)`/;

/** A text of ours in which what stands between backticks is code, with invisible characters made visible. */
export function CodeWords({ text }: { text: string }) {
  return (
    <>
      {text.split(CODE).map((part, index) =>
        index % 2 === 0 ? (
          <VisibleText key={index} text={part} />
        ) : (
          <code key={index}>
            <VisibleText text={part} />
          </code>
        ),
      )}
    </>
  );
}
