import { createHmac, timingSafeEqual } from 'node:crypto';

/** The parameters that every authenticator supports: SHA-1, six digits, a new code every 30 seconds (RFC 6238). */
const STEP_MS = 30_000;
const DIGITS = 6;
/** The maximum difference between the clocks of device and hub, in steps. */
const WINDOW = 1;
/** The length of a secret that RFC 4226 recommends. */
export const SECRET_BYTES = 20;

export const stepAt = (now: number): number => Math.floor(now / STEP_MS);

/** Returns the code of a time step (RFC 4226, 5.3). */
export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 0x0f;
  const number = (mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, '0');
}

/** Returns the time step of a code, if the step is currently acceptable and newer than `after`. */
export function matchingStep(
  secret: Buffer,
  code: string,
  { now, after }: { readonly now: number; readonly after: number },
): number | undefined {
  const current = stepAt(now);
  const steps = Array.from({ length: 2 * WINDOW + 1 }, (_, at) => current - WINDOW + at);
  const matching = steps.filter((step) => isSame(codeAt(secret, step), code));
  return matching.find((step) => step > after);
}

const isSame = (expected: string, given: string): boolean =>
  expected.length === given.length && timingSafeEqual(Buffer.from(expected), Buffer.from(given));

/** Returns a typed code without blanks; undefined if it is not a code by its form. */
export function typedCode(text: string): string | undefined {
  const code = text.replaceAll(/\s/g, '');
  return new RegExp(`^[0-9]{${DIGITS}}$`).test(code) ? code : undefined;
}

/** Returns the URI that authenticators read from a QR code. */
export function otpauthUri({
  secret,
  issuer,
  user,
}: {
  /** The secret in base32. */
  readonly secret: string;
  readonly issuer: string;
  readonly user: string;
}): string {
  const query = { secret, issuer, algorithm: 'SHA1', digits: DIGITS, period: STEP_MS / 1000 };
  const text = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(user)}?${text.join('&')}`;
}
