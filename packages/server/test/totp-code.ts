import { createHmac } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * Returns the code of an authenticator that has read a QR code, with an implementation of RFC 6238 that is independent
 * of the hub.
 */
export function totpCode(uri: string, now: number): string {
  const query = new URL(uri).searchParams;
  const bits = Array.from(query.get('secret') ?? '').map((letter) =>
    ALPHABET.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const bytes = (bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  const counter = Buffer.from(
    Math.floor(now / 1000 / Number(query.get('period')))
      .toString(16)
      .padStart(16, '0'),
    'hex',
  );
  const digest = createHmac('sha1', Buffer.from(bytes)).update(counter).digest();
  const at = (digest.at(-1) ?? 0) % 16;
  return String((digest.readUInt32BE(at) % 2 ** 31) % 1_000_000).padStart(6, '0');
}
