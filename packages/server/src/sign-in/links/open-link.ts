import { type Account, findAccountById, lockAccount } from '../../accounts/index.ts';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import { HubError, notFound } from '../../platform/http/errors.ts';
import { sha256 } from '../../platform/secrets.ts';
import { anyAdminWithPassword } from '../passwords/password-store.ts';
import type { LinkRow } from '../tables.ts';
import { findLink, spendLink } from './link-store.ts';

const spent = () => new HubError(410, 'This link has been used, has expired or was replaced; ask for another one');

/**
 * Returns the link of a code with its user, who is undefined for a link that creates an account. Throws 404 for an unknown
 * code, 410 for a used or expired link.
 */
export async function openLink(
  executor: ReadExecutor,
  code: string,
  now: number,
): Promise<{ readonly link: LinkRow; readonly user: Account | undefined }> {
  const link = await findLink(executor, sha256(code));
  if (!link) throw notFound('There is no such link');
  if (link.used_at !== null || link.expires_at <= now) throw spent();
  if (link.user_id === null) return { link, user: undefined };
  const user = await findAccountById(executor, link.user_id);
  if (!user || user.disabled_at !== null) throw spent();
  if (link.purpose === 'setup' && (await anyAdminWithPassword(executor))) throw spent();
  return { link, user };
}

/** Uses a link with its account locked. Returns the current account. Throws 410 if the link is used already. */
export async function useLink(
  tx: Executor,
  { link, user: { id } }: { readonly link: LinkRow; readonly user: Pick<Account, 'id'> },
  now: number,
): Promise<Account> {
  await lockAccount(tx, id);
  const user = await findAccountById(tx, id);
  if (!user || user.disabled_at !== null || !(await spendLink(tx, link.hash, now))) throw spent();
  return user;
}

/** Uses a link that creates an account. Throws 410 if the link is used already. */
export async function useSignUpLink(tx: Executor, link: LinkRow, now: number): Promise<void> {
  if (!(await spendLink(tx, link.hash, now))) throw spent();
}
