import { all, chain, type MaybePromise } from './maybe.ts';
import type { Bytes, Hmac, IncomingRequest } from './request.ts';
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

/** Whether a request was signed at most five minutes before or after `now`, which is in epoch milliseconds. */
export const isTimely = ({ timestamp }: Signature, now: number): boolean =>
  /^\d{1,15}$/.test(timestamp) && Math.abs(now / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS;

/** Returns whether a body was signed with one of the secrets: over `id.timestamp.body`. */
export function createVerifier(secrets: readonly string[]) {
  const keys = secrets.map(signingKey);
  return ({ id, timestamp, signatures }: Signature, body: Bytes, hmac: Hmac = webHmac): MaybePromise<boolean> => {
    const head = `${id}.${timestamp}.`;
    const given = signatures.split(' ');
    return chain(all(keys.map((key) => hmac(key, head, body))), (made) =>
      made.reduce((valid, one) => isOneOf(`v1,${one}`, given) || valid, false),
    );
  };
}

/** Looks at all that were given. */
const isOneOf = (expected: string, given: readonly string[]): boolean =>
  given.reduce((found, one) => sameText(one, expected) || found, false);

/** The bytes of a secret; of `whsec_` and the base64 of 16 bytes or more the decoded ones. */
export function signingKey(secret: string): Bytes {
  const encoded = /^whsec_([A-Za-z0-9+/]{22,})={0,2}$/.exec(secret)?.[1];
  if (encoded === undefined) return encoder.encode(secret);
  // A last character that cannot end a byte says nothing.
  const whole = encoded.length % 4 === 1 ? encoded.slice(0, -1) : encoded;
  return Uint8Array.from(atob(whole), (character) => character.charCodeAt(0));
}

const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' };

const webHmac: Hmac = async (key, head, body) => {
  const start = encoder.encode(head);
  const content = new Uint8Array(start.length + body.length);
  content.set(start);
  content.set(body, start.length);
  const imported = await crypto.subtle.importKey('raw', key, ALGORITHM, false, ['sign']);
  const made = await crypto.subtle.sign('HMAC', imported, content);
  return btoa(String.fromCharCode(...new Uint8Array(made)));
};
