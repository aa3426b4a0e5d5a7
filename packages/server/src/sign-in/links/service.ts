import { LinkPurpose } from '@moonbase/contract/sign-in/links';
import { type Accounts, findAccount, requireEnabledUser } from '../../accounts/index.ts';
import { type AuditLog, recordForSite, userAt } from '../../audit-log/index.ts';
import { type Clock, timestamp } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Caller, Visitor } from '../../platform/http/authenticate.ts';
import { badRequest, conflict } from '../../platform/http/errors.ts';
import { signInTopic } from '../events.ts';
import type { OpenSession } from '../opening.ts';
import { anyAdminWithPassword, findPassword, putPassword } from '../passwords/password-store.ts';
import type { Passwords } from '../passwords/service.ts';
import type { SecondStep } from '../second-factor/second-step.ts';
import type { Sessions } from '../sessions/service.ts';
import type { SignedInUser } from '../signed-in-user.ts';
import type { Ways } from '../ways.ts';
import { type LinkMaking, linkUrl } from './link-making.ts';
import { spendLinksOf } from './link-store.ts';
import { openLink, useLink } from './open-link.ts';
import type { SignUp } from './sign-up.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly events: Events;
  readonly audit: AuditLog;
  readonly accounts: Accounts;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly making: LinkMaking;
  readonly open: OpenSession;
  readonly secondStep: SecondStep;
  readonly ways: Ways;
  readonly signUp: SignUp;
}

export type Links = ReturnType<typeof createLinks>;

/**
 * One-time links that set a password: for the first administrator, for invited people, after a lost password, and for people
 * who sign up.
 */
export function createLinks(given: Dependencies) {
  const { database, clock, events, audit, accounts, passwords, sessions, making, open, secondStep, ways, signUp } =
    given;
  return {
    /**
     * Returns the code of a link for the first site administrator; undefined if an administrator has a password
     * already.
     */
    setup: (userId: string): Promise<string | undefined> =>
      database.transaction(async (tx) =>
        (await anyAdminWithPassword(tx))
          ? undefined
          : (await making.createRandom(tx, { userId, purpose: 'setup' })).code,
      ),

    /**
     * Creates a link with which a user sets a password. Throws 404 for an unknown user, 403 if the user must not have a
     * password, and 409 for a disabled user, or with the purpose `setup` if the user is not a site administrator or if
     * a site administrator already has a password.
     */
    create: (caller: Caller, name: string, purpose: Exclude<LinkPurpose, 'email' | 'sign-up'>) =>
      database.transaction(async (tx) => {
        const user = requireEnabledUser(await findAccount(tx, name), name);
        ways.requirePasswordOf(user);
        if (purpose === 'setup' && (user.site_admin === 0 || (await anyAdminWithPassword(tx))))
          throw conflict('A setup link is for the first site administrator; create one with the purpose invite');
        const { code, expiresAt } = await making.createRandom(tx, { userId: user.id, purpose });
        const message = `Made a link with which ${user.name} sets a password`;
        const data = { user: { _id: user.id, user: user.name }, purpose };
        await recordForSite(audit, tx, caller, { type: 'user.link', message, data });
        return { url: linkUrl(caller.hubUrl, code), expiresAt: timestamp(expiresAt) };
      }),

    async find(code: string) {
      const { link, user } = await openLink(database.read, code, clock.now());
      const { purpose, email, expires_at: expiresAt } = link;
      const common = { purpose, passwordMin: passwords.min, expiresAt: timestamp(expiresAt) };
      return { ...common, ...(user && { user: user.name }), ...(email !== null && { email }) };
    },

    /**
     * Sets the password, ends all sessions of the user and begins a new one, or the second step. A link of a sign-up
     * creates the user first. Throws 410 if the link is used already.
     */
    async use(
      visitor: Visitor,
      code: string,
      { password, name }: { readonly password: string; readonly name?: string | undefined },
    ): Promise<SignedInUser> {
      const { link, user } = await openLink(database.read, code, clock.now());
      if (link.purpose === 'email') throw badRequest('This link confirms an e-mail address, and sets no password');
      if (!user) return signUp.use(visitor, link, { password, name });
      ways.requirePasswordOf(user);
      const newName = link.purpose === 'reset' ? undefined : name?.trim() || undefined;
      passwords.check(password, { ...user, name: newName ?? user.name });
      const hash = await passwords.hash(password);
      return database.transaction(async (tx) => {
        const userId = user.id;
        const now = clock.now();
        const current = await useLink(tx, { link, user }, now);
        if (newName !== undefined && newName !== current.name) await accounts.update(tx, current, { name: newName });
        // One link sets the password, so the user's other links are no longer needed.
        await spendLinksOf(tx, userId, LinkPurpose.options, now);
        const before = await findPassword(tx, userId);
        await putPassword(tx, { user_id: userId, hash, changed_at: now });
        if (before) await events.record(tx, signInTopic, { action: 'password-changed', userId });
        await sessions.endAll(tx, userId);
        const message = 'Set the password with a link';
        const data = { purpose: link.purpose, ...(newName !== undefined && { name: newName }) };
        await recordForSite(audit, tx, userAt(current, visitor), { type: 'user.password', message, data });
        const named = { ...current, name: newName ?? current.name };
        const step = await secondStep.needed(tx, current, 'link');
        return step
          ? { user: named, step }
          : { user: named, session: await open(tx, visitor, { userId, userName: named.name, method: 'link' }) };
      });
    },
  };
}
