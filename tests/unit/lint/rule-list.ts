/** How many rules each family has, by the numbers that they go by; those from 20 on are checks of our own. */
const FAMILIES: Record<string, number> = {
  RPC: 8,
  LIF: 6,
  MOD: 8,
  HDR: 9,
  SES: 5,
  HTT: 10,
  SSE: 3,
  PRG: 2,
  LOG: 1,
  SUB: 3,
  MRT: 3,
  CAC: 2,
  TOO: 5,
  RES: 1,
  PAG: 1,
  CMP: 1,
  ELI: 2,
  SAM: 1,
  ROO: 1,
  TSK: 2,
  AUT: 11,
  SEC: 3,
};

/** Rules that can only be judged by traffic made for that. */
const ACTIVE_PROBES = new Set([
  // Whether a server minds a foreign Origin, nobody knows who does not send one.
  'SEC-01',
]);

/** Every rule of the protocol that shows in traffic that comes by itself. */
export const RULE_IDS: readonly string[] = Object.entries(FAMILIES)
  .flatMap(([family, count]) =>
    Array.from({ length: count }, (_, index) => `${family}-${String(index + 1).padStart(2, '0')}`),
  )
  .filter((id) => !ACTIVE_PROBES.has(id));
