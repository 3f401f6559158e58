/** The progress token of params, as JSON text, so that `1` and `"1"` stay apart. */
export function progressTokenIn(paramsText: string | undefined): string | undefined {
  if (paramsText?.includes('progressToken') !== true) return undefined;
  try {
    const params = JSON.parse(paramsText) as { _meta?: { progressToken?: unknown } } | null;
    const token = params?._meta?.progressToken;
    return token === undefined ? undefined : JSON.stringify(token);
  } catch {
    return undefined;
  }
}
