import type { OwnEmail } from '@moonbase/contract/sign-in/email';
import { type Account, type Accounts, findAccountById, findUserToSignIn, lockAccount } from '../../accounts/index.ts';
import { type AuditAuthor, type AuditLog, recordForSite, userAt } from '../../audit-log/index.ts';
import { type Clock, timestamp } from '../../platform/clock.ts';
import type { Database, Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Caller, Visitor } from '../../platform/http/authenticate.ts';
import { badRequest, conflict, forbidden, HubError } from '../../platform/http/errors.ts';
import { signInTopic } from '../events.ts';
import { countMailedLinks, findPendingEmail, spendLinksOf } from '../links/link-store.ts';
import type { MailedLinks } from '../links/mailed-links.ts';
import { openLink, useLink } from '../links/open-link.ts';
import type { Proof } from '../proof.ts';

/**
 * The maximum number of confirmation mails per user and day: the hub must not become a means of writing to strangers.
 */
const MAX_PER_DAY = 5;
const DAY_MS = 24 * 60 * 60 * 1000;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly events: Events;
  readonly audit: AuditLog;
  readonly accounts: Accounts;
  readonly proof: Proof;
  readonly mailedLinks: MailedLinks;
}

export type Addresses = ReturnType<typeof createAddresses>;

/** The e-mail addresses of accounts: an address takes effect once its owner has used the link that was mailed to it. */
export function createAddresses({ database, clock, events, audit, accounts, proof, mailedLinks }: Dependencies) {
  async function stateOf(executor: ReadExecutor, userId: string): Promise<OwnEmail> {
    const user = await findAccountById(executor, userId);
    if (!user) throw forbidden('This account no longer exists');
    const pending = await findPendingEmail(executor, userId, clock.now());
    return {
      email: user.email,
      ...(pending?.email && { pending: { email: pending.email, expiresAt: timestamp(pending.expiresAt) } }),
    };
  }

  /**
   * Sets the address, invalidates the links mailed to the previous address, and records an event that tells its owner.
   */
  async function replace(tx: Executor, author: AuditAuthor, user: Account, email: string | null): Promise<void> {
    await accounts.update(tx, user, { email });
    await spendLinksOf(tx, user.id, ['email', 'reset'], clock.now());
    const message = `${email === null ? 'Removed' : 'Changed'} the e-mail address`;
    await recordForSite(audit, tx, author, { type: 'user.email', message });
    if (user.email !== null && user.email !== email)
      await events.record(tx, signInTopic, { action: 'email-changed', userId: user.id, before: user.email });
  }

  async function mailLink(tx: Executor, userId: string, email: string): Promise<void> {
    mailedLinks.require();
    if ((await countMailedLinks(tx, userId, 'email', clock.now() - DAY_MS)) >= MAX_PER_DAY)
      throw new HubError(429, `You can confirm ${MAX_PER_DAY} addresses a day; try again tomorrow`);
    await mailedLinks.send(tx, { userId, purpose: 'email', email });
  }

  return {
    get: ({ principal }: Caller): Promise<OwnEmail> => stateOf(database.read, principal.userId),

    /**
     * Mails a link to a new address; null removes the address. Setting the current address cancels a pending change.
     */
    async set(
      caller: Caller,
      { email, current }: { readonly email: string | null; readonly current?: string | undefined },
    ): Promise<OwnEmail> {
      const { userId } = caller.principal;
      await proof.require(caller, current);
      return database.transaction(async (tx) => {
        await lockAccount(tx, userId);
        const user = await findAccountById(tx, userId);
        if (!user) throw forbidden('This account no longer exists');
        if (email === null) await replace(tx, caller, user, null);
        else if (email === user.email) await spendLinksOf(tx, userId, ['email'], clock.now());
        else await mailLink(tx, userId, email);
        return stateOf(tx, userId);
      });
    },

    /**
     * Confirms an address by link. Throws 400 if the link confirms no address, 409 if somebody else has the address.
     */
    async confirm(visitor: Visitor, code: string): Promise<{ readonly user: string; readonly email: string }> {
      const { link, user: owner } = await openLink(database.read, code, clock.now());
      const { email } = link;
      if (!owner || email === null) throw badRequest('This link sets a password, and confirms no e-mail address');
      return database.transaction(async (tx) => {
        const user = await useLink(tx, { link, user: owner }, clock.now());
        const other = await findUserToSignIn(tx, email.toLowerCase());
        if (other && other.id !== user.id) throw conflict('Another user of this hub has this address');
        await replace(tx, userAt(user, visitor), user, email);
        return { user: user.name, email };
      });
    },
  };
}
