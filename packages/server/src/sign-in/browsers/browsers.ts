import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import type { Visitor } from '../../platform/http/authenticate.ts';
import { addressBlock } from '../../platform/limits/address-block.ts';
import { sha256 } from '../../platform/secrets.ts';
import { browsersOf, putBrowser } from './browser-store.ts';

/** What a browser says of itself and where it is; without version numbers, so that an update is no other browser. */
const browserOf = ({ userAgent = '', address }: Visitor): string =>
  sha256(`${userAgent.replace(/\d[\d._]*/g, '')} at ${addressBlock(address)}`);

/** Notes the browser that a user signs in with. Returns whether the user has used others, and never this one. */
export async function noteBrowser(tx: Executor, visitor: Visitor, userId: string, now: number): Promise<boolean> {
  const browser = browserOf(visitor);
  const known = await browsersOf(tx, userId);
  await putBrowser(tx, { user_id: userId, browser, seen_at: now });
  return known.length > 0 && !known.includes(browser);
}

/** Whether a user has signed in before with the browser that asks. */
export const isKnownBrowser = async (executor: ReadExecutor, visitor: Visitor, userId: string): Promise<boolean> =>
  (await browsersOf(executor, userId)).includes(browserOf(visitor));
