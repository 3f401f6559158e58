/** `code` is what Azure Functions call their keys. */
const SECRET_PARAM =
  /key|token|secret|password|passwd|auth|sig(nature)?$|session|^(code|sid|pwd)$|jwt|credential/i;
/** Punctuation behind a URL that a sentence quotes is not part of its last value. */
const PARAM = /[?&]([^=&#\s]+)=([^&#\s]+?)(?=[&#\s]|[.,;:)”"]*(?:\s|$))/g;

/** Whether the name of a query parameter gives its value away as a secret. */
export function isSecretParam(name: string): boolean {
  return SECRET_PARAM.test(name);
}

/** Where the values of secret parameters stand in a URL, or in a text that quotes one, in UTF-16 units. */
export function secretParamSpans(text: string): { offset: number; length: number }[] {
  const spans: { offset: number; length: number }[] = [];
  if (!text.includes('=')) return spans;
  for (const match of text.matchAll(PARAM)) {
    const [whole, name = '', value = ''] = match;
    if (!isSecretParam(decoded(name))) continue;
    spans.push({ offset: match.index + whole.length - value.length, length: value.length });
  }
  return spans;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
}
