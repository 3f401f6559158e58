const CODE = /`([^`]+)`/;

/** A text of ours in which what stands between backticks is code. */
export function CodeText({ text = '' }: { text: string | undefined }) {
  return text
    .split(CODE)
    .map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>));
}
