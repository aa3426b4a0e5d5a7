import { createSigner } from '../src/platform/secrets.ts';

/** For a hub whose links a test makes itself. */
export const SECRET_KEY = 'a key for tests, long enough to be taken';

/** What stands in the link of a mail of such a hub. */
export function unsubscribeToken(userId: string, kind: string, secretKey = SECRET_KEY): string {
  const statement = `${userId}.${kind}`;
  return `${statement}.${createSigner(secretKey, 'unsubscribe links').sign(statement)}`;
}
