declare module 'har-validator' {
  /** Resolves with the same where it is HAR 1.2; rejects with all that is wrong. */
  export function har(document: unknown): Promise<unknown>;
}
