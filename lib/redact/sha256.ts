const BLOCK = 64;

/** The first 32 bits of the fractional parts of a root of the first primes (FIPS 180-4, 4.2.2 and 5.3.3). */
function fractions(root: (prime: number) => number, count: number): number[] {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate += 1) {
    if (!isPrime(candidate)) continue;
    const value = root(candidate);
    found.push(Math.floor((value - Math.floor(value)) * 2 ** 32) | 0);
  }
  return found;
}

function isPrime(candidate: number): boolean {
  for (let divisor = 2; divisor * divisor <= candidate; divisor += 1) {
    if (candidate % divisor === 0) return false;
  }
  return true;
}

const ROUND = fractions(Math.cbrt, 64);
const START = fractions(Math.sqrt, 8);

/** SHA-256 of some bytes. The browser's own answers asynchronously only, which no pure function can wait for. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length * 8);
  const state = Int32Array.from(START);
  const schedule = new Int32Array(64);
  for (let offset = 0; offset < padded.length; offset += BLOCK) {
    compress(state, schedule, view, offset);
  }
  const digest = new DataView(new ArrayBuffer(32));
  for (const [index, word] of state.entries()) digest.setInt32(index * 4, word);
  return new Uint8Array(digest.buffer);
}

function compress(state: Int32Array, w: Int32Array, view: DataView, offset: number): void {
  const at = (index: number) => w[index] ?? 0;
  for (let t = 0; t < 16; t += 1) w[t] = view.getInt32(offset + t * 4);
  for (let t = 16; t < 64; t += 1) {
    const [early, late] = [at(t - 15), at(t - 2)];
    const s0 = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const s1 = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    w[t] = s1 + at(t - 7) + s0 + at(t - 16);
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let t = 0; t < 64; t += 1) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const first = (h + s1 + ((e & f) ^ (~e & g)) + (ROUND[t] ?? 0) + at(t)) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) {
    state[index] = (state[index] ?? 0) + word;
  }
}

function turn(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

/** HMAC-SHA256 (RFC 2104), at once: WebCrypto answers later only, and texts are searched in one go. */
export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  const short = key.length > BLOCK ? sha256(key) : key;
  const padded = (pad: number) =>
    Uint8Array.from({ length: BLOCK }, (_, index) => (short[index] ?? 0) ^ pad);
  return sha256(joined(padded(0x5c), sha256(joined(padded(0x36), message))));
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}
