import { signal } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import type { Cut } from '../../capture/store/stored-text.ts';
import type { BackgroundFunctions } from '../../port/contract.ts';

/** A run of stored text: plain, or a secret that was cut out. */
export type SecretPiece =
  | { kind: 'plain'; text: string }
  | { kind: 'secret'; fingerprint: string; length: number; from: number };

/** Splits a stored text at its cuts. */
export function toSecretPieces(text: string, cuts: readonly Cut[] = []): SecretPiece[] {
  const pieces: SecretPiece[] = [];
  let from = 0;
  for (const cut of [...cuts].sort((left, right) => left.offset - right.offset)) {
    if (cut.offset > from) pieces.push({ kind: 'plain', text: text.slice(from, cut.offset) });
    const { secret: fingerprint, length } = cut;
    pieces.push({ kind: 'secret', fingerprint, length, from: cut.from });
    from = cut.offset + cut.length;
  }
  if (from < text.length) pieces.push({ kind: 'plain', text: text.slice(from) });
  return pieces;
}

/**
 * The part of a revealed secret that a piece covers. Whole secrets are the rule; of a part, its place counts
 * bytes where it was cut out of bytes.
 */
export function secretPart(
  value: string,
  { from, length }: Pick<SecretPiece & { kind: 'secret' }, 'from' | 'length'>,
  unit: 'text' | 'bytes',
): string {
  if (unit === 'text') return value.slice(from, from + length);
  const bytes = new TextEncoder().encode(value);
  return new TextDecoder().decode(bytes.subarray(from, from + length));
}

/** Secrets that the user asked to see, for as long as this page lives. */
export interface Secrets {
  /** By fingerprint: the value, or `gone` where it is no longer held. Absent: not revealed. */
  revealed: ReadonlySignal<ReadonlyMap<string, { value: string } | 'gone'>>;
  reveal(fingerprints: string[]): void;
  hide(): void;
  /** Values that are still held, by fingerprint: for a copy, without showing them. */
  valuesOf(fingerprints: string[]): Promise<Record<string, string>>;
}

/** Creates the store of revealed secrets; values come from the background and are kept nowhere else. */
export function createSecrets(background: Pick<BackgroundFunctions, 'reveal'>): Secrets {
  const revealed = signal<ReadonlyMap<string, { value: string } | 'gone'>>(new Map());

  function show(fingerprints: string[], values: Record<string, string>): void {
    const next = new Map(revealed.value);
    for (const fingerprint of fingerprints) {
      const value = values[fingerprint];
      next.set(fingerprint, value === undefined ? 'gone' : { value });
    }
    revealed.value = next;
  }

  return {
    revealed,
    reveal(fingerprints) {
      background.reveal(fingerprints).then(
        (values) => show(fingerprints, values),
        // A background that cannot answer does not hold them for us either.
        () => show(fingerprints, {}),
      );
    },
    hide() {
      revealed.value = new Map();
    },
    // A background that cannot answer does not hold them for us either.
    valuesOf: (fingerprints) => background.reveal(fingerprints).catch(() => ({})),
  };
}
