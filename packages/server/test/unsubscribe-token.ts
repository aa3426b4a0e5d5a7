import { createSigner } from '../src/platform/secrets.ts';

/** The key of a hub whose links a test creates itself. */
export const SECRET_KEY = 'a key for tests, long enough to be taken';

/** Returns the token in the link of a mail of such a hub. */
export function unsubscribeToken(userId: string, kind: string, secretKey = SECRET_KEY): string {
  const statement = `${userId}.${kind}`;
  return `${statement}.${createSigner(secretKey, 'unsubscribe links').sign(statement)}`;
}
