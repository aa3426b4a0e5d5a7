import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import type { Visitor } from '../../platform/http/authenticate.ts';
import { addressBlock } from '../../platform/limits/address-block.ts';
import { sha256 } from '../../platform/secrets.ts';
import { browsersOf, putBrowser } from './browser-store.ts';

/**
 * Returns the user agent, without version numbers so that an update is not a new browser, and the address of a visitor.
 */
const browserOf = ({ userAgent = '', address }: Visitor): string =>
  sha256(`${userAgent.replace(/\d[\d._]*/g, '')} at ${addressBlock(address)}`);

/** Records the browser of a sign-in. Returns whether the user has used other browsers, but never this one. */
export async function recordBrowser(tx: Executor, visitor: Visitor, userId: string, now: number): Promise<boolean> {
  const browser = browserOf(visitor);
  const known = await browsersOf(tx, userId);
  await putBrowser(tx, { user_id: userId, browser, seen_at: now });
  return known.length > 0 && !known.includes(browser);
}

/** Returns whether a user has signed in before with the visitor's browser. */
export const isKnownBrowser = async (executor: ReadExecutor, visitor: Visitor, userId: string): Promise<boolean> =>
  (await browsersOf(executor, userId)).includes(browserOf(visitor));
