import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** Encrypts what must be readable again: webhook secrets, secrets of jobs. AES-256-GCM, a fresh nonce each time. */
export interface SecretBox {
  seal(text: string): string;
  /** Throws when the text was sealed with another key or changed. */
  open(sealed: string): string;
}

/** The keys for secrets at rest. `old` opens what was sealed before `key` was there, and seals nothing. */
export interface SecretKeys {
  readonly key: string;
  readonly old?: string | undefined;
}

/** A key for one purpose, from any text (HKDF-SHA-256), so that operators may choose a passphrase. */
const derived = (secretKey: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, '', `moonbase ${purpose}`, 32));

/** What `old` sealed is opened as well. */
export function createSecretBox(key: string, old?: string): SecretBox {
  const box = boxOf(key);
  if (old === undefined) return box;
  const before = boxOf(old);
  return {
    seal: (text) => box.seal(text),
    open(sealed) {
      return opens(box, sealed) ? box.open(sealed) : before.open(sealed);
    },
  };
}

/** Whether a text was sealed with a key of this box. */
export function opens(box: SecretBox, sealed: string): boolean {
  try {
    box.open(sealed);
    return true;
  } catch {
    return false;
  }
}

function boxOf(secretKey: string): SecretBox {
  const key = derived(secretKey, 'secrets at rest');
  return {
    seal(text) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(12, 28));
      return decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}

/** Signs what goes out and is to come back unchanged, such as the token in a link. */
export interface Signer {
  /** 43 characters of base64url. */
  sign(text: string): string;
  verify(text: string, signature: string): boolean;
}

/** The key of a signer: derived for one purpose, so that no signature serves another. In base64. */
export const signingKey = (secretKey: string, purpose: string): string =>
  derived(secretKey, purpose).toString('base64');

export const createSigner = (secretKey: string, purpose: string): Signer => signerOf(signingKey(secretKey, purpose));

/** HMAC-SHA-256 under a `signingKey`. */
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

/** SHA-256 in hexadecimal: for access tokens, which are long and random. */
export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A new access token: `hf_` and 34 random base62 characters (202 bits), without modulo bias. */
export function newAccessToken(): string {
  let text = 'hf_';
  while (text.length < 37) {
    for (const byte of randomBytes(64)) if (byte < 248 && text.length < 37) text += BASE62[byte % 62];
  }
  return text;
}
