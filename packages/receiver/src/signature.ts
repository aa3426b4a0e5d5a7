import type { Hmac, IncomingRequest } from './request.ts';
import { sameText } from './secrets.ts';

/** The signature headers of a request (Standard Webhooks). */
export interface Signature {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: string;
  /** `v1,` and base64, several separated by blanks while a secret is rotated. */
  readonly signatures: string;
}

const TOLERANCE_SECONDS = 300;
const encoder = new TextEncoder();

/** The signature of a request, or nothing when it has none. */
export function signatureOf({ header }: IncomingRequest): Signature | undefined {
  const signatures = header('webhook-signature');
  if (signatures === undefined) return undefined;
  return { id: header('webhook-id') ?? '', timestamp: header('webhook-timestamp') ?? '', signatures };
}

/** Whether it was signed within five minutes of now (epoch milliseconds), either way. */
export const isTimely = ({ timestamp }: Signature, now: number): boolean =>
  /^\d{1,15}$/.test(timestamp) && Math.abs(now / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS;

/** Answers whether a body was signed with one of the secrets. Their keys are made once. */
export function createVerifier(secrets: readonly string[]) {
  const keys = secrets.map(signingKey);
  return async (signature: Signature, body: Uint8Array, hmac: Hmac = webHmac): Promise<boolean> => {
    const content = signedContent(signature, body);
    const given = signature.signatures.split(' ');
    let valid = false;
    for (const key of keys) {
      const made = hmac(key, content);
      const expected = `v1,${base64(made instanceof Uint8Array ? made : await made)}`;
      for (const one of given) valid = sameText(one, expected) || valid;
    }
    return valid;
  };
}

/** `id.timestamp.body` */
function signedContent({ id, timestamp }: Signature, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = encoder.encode(`${id}.${timestamp}.`);
  const content = new Uint8Array(head.length + body.length);
  content.set(head);
  content.set(body, head.length);
  return content;
}

/** The bytes of a secret; of `whsec_` and the base64 of 16 bytes or more the decoded ones. */
export function signingKey(secret: string): Uint8Array<ArrayBuffer> {
  const encoded = /^whsec_([A-Za-z0-9+/]{22,})={0,2}$/.exec(secret)?.[1];
  if (encoded === undefined) return encoder.encode(secret);
  // A last character that cannot end a byte says nothing.
  const whole = encoded.length % 4 === 1 ? encoded.slice(0, -1) : encoded;
  return Uint8Array.from(atob(whole), (character) => character.charCodeAt(0));
}

const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

const HMAC = { name: 'HMAC', hash: 'SHA-256' };

const webHmac: Hmac = async (key, content) => {
  const imported = await crypto.subtle.importKey('raw', key, HMAC, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, content));
};
