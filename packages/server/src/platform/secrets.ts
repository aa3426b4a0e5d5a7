import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** The place of a sealed value: a column of a row. The value can be opened only there. */
export interface SealedAt {
  readonly table: string;
  readonly column: string;
  readonly id: string;
}

/**
 * Encrypts values that must be readable again: AES-256-GCM, a fresh nonce each time, and the place of the value as
 * additional data, so that a value copied to another row or column cannot be opened.
 */
export interface SecretBox {
  seal(text: string, at: SealedAt): string;
  /** Throws if the text was sealed with another key or for another place, or was changed. */
  open(sealed: string, at: SealedAt): string;
}

/**
 * The keys for secrets at rest. `key` seals and opens; `old` only opens values that were sealed before `key` was
 * introduced.
 */
export interface SecretKeys {
  readonly key: string;
  readonly old?: string | undefined;
}

/** Derives a key for one purpose from any text (HKDF-SHA-256), so that operators may choose a passphrase. */
const derived = (secretKey: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, '', `moonbase ${purpose}`, 32));

/** Creates a box that seals with `key` and opens values of both keys. */
export function createSecretBox(key: string, old?: string): SecretBox {
  const box = boxOf(key);
  if (old === undefined) return box;
  const before = boxOf(old);
  return {
    seal: (text, at) => box.seal(text, at),
    open: (sealed, at) => (opens(box, sealed, at) ? box : before).open(sealed, at),
  };
}

/** Returns whether a box can open a text at this place. */
export function opens(box: SecretBox, sealed: string, at: SealedAt): boolean {
  try {
    box.open(sealed, at);
    return true;
  } catch {
    return false;
  }
}

/**
 * The prefix of values that are bound to their place. Values of older versions are plain base64, which has no colon.
 */
const BOUND = 'bound:';

export const isBound = (sealed: string): boolean => sealed.startsWith(BOUND);

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const keyAtRest = (secretKey: string): Buffer => derived(secretKey, 'secrets at rest');

function boxOf(secretKey: string): SecretBox {
  const key = keyAtRest(secretKey);
  return {
    seal(text, at) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(placeBytes(at));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return BOUND + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
    },
    open(sealed, at) {
      if (!isBound(sealed)) throw new Error('This value is not bound to its place');
      return decrypted(key, sealed.slice(BOUND.length), placeBytes(at));
    },
  };
}

const placeBytes = ({ table, column, id }: SealedAt): Buffer => Buffer.from(JSON.stringify([table, column, id]));

function decrypted(key: Buffer, base64: string, place?: Buffer): string {
  const bytes = Buffer.from(base64, 'base64');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  if (place) decipher.setAAD(place);
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}

/**
 * Seals a value of an older version, which was not bound to a place, again for its place and with the same key. Returns
 * undefined if the value is bound already, or no key opens it.
 */
export function bindToPlace({ key, old }: SecretKeys, sealed: string, at: SealedAt): string | undefined {
  if (isBound(sealed)) return undefined;
  for (const secretKey of [key, ...(old === undefined ? [] : [old])])
    try {
      return boxOf(secretKey).seal(decrypted(keyAtRest(secretKey), sealed), at);
    } catch {
      // The next key may open the value.
    }
  return undefined;
}

/** Signs texts that leave the hub and must come back unchanged, such as the token in a link. */
export interface Signer {
  /** Returns 43 characters of base64url. */
  sign(text: string): string;
  verify(text: string, signature: string): boolean;
}

/**
 * Derives the key of a signer for one purpose, so that a signature for one purpose is invalid for others. Returns
 * base64.
 */
export const signingKey = (secretKey: string, purpose: string): string =>
  derived(secretKey, purpose).toString('base64');

export const createSigner = (secretKey: string, purpose: string): Signer => signerOf(signingKey(secretKey, purpose));

/** Creates a signer (HMAC-SHA-256) from a `signingKey`. */
export function signerOf(base64Key: string): Signer {
  const key = Buffer.from(base64Key, 'base64');
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  return {
    sign,
    verify(text, signature) {
      const [good, given] = [Buffer.from(sign(text)), Buffer.from(signature)];
      return good.length === given.length && timingSafeEqual(good, given);
    },
  };
}

/** Returns the SHA-256 in hexadecimal; enough for access tokens, which are long and random. */
export const sha256 = (data: string | Uint8Array): string => hash('sha256', data);

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns a new access token: `hf_` and 34 random base62 characters (202 bits), without modulo bias. */
export function newAccessToken(): string {
  let text = 'hf_';
  while (text.length < 37) {
    for (const byte of randomBytes(64)) if (byte < 248 && text.length < 37) text += BASE62[byte % 62];
  }
  return text;
}
