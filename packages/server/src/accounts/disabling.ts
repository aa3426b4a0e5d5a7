import type { Clock } from '../platform/clock.ts';
import { afterCommit, type Database, type Executor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { conflict, notFound } from '../platform/http/errors.ts';
import type { Signals } from '../platform/queue/signals.ts';
import { accountTopic } from './events.ts';
import { requireASiteAdmin } from './site-admins.ts';
import { type Account, lockAccountById, lockAccountNamed, updateAccount } from './store.ts';

export type Disabling = ReturnType<typeof createDisabling>;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly events: Events;
  /** Told of a user who is about to be disabled or enabled. */
  readonly onChange: (tx: Executor, userId: string) => Promise<void>;
  /** Tells open streams of users that ask for their caller again. */
  readonly callers: Signals;
}

/**
 * Disabled users: their tokens are unknown to the hub, their streams end, and nothing is done in their name. All of it
 * is kept, and works again once they are enabled.
 */
export function createDisabling({ database, clock, events, onChange, callers }: Dependencies) {
  async function disable(tx: Executor, account: Account, by: string): Promise<void> {
    const { id, name, disabled_at: since } = account;
    if (since === null) await onChange(tx, id);
    await updateAccount(tx, id, { disabled_at: since ?? clock.now(), disabled_by: by });
    if (since !== null) return;
    if (account.site_admin === 1) requireASiteAdmin(tx);
    await events.record(tx, accountTopic, { action: 'disable', accountId: id, kind: 'user', before: name });
    afterCommit(tx, () => callers.send([id]));
  }

  async function enable(tx: Executor, { id, disabled_at: since }: Account): Promise<void> {
    if (since === null) return;
    await onChange(tx, id);
    await updateAccount(tx, id, { disabled_at: null, disabled_by: null });
  }

  async function requireUser(tx: Executor, name: string): Promise<Account> {
    const user = await lockAccountNamed(tx, name);
    if (user?.kind !== 'user') throw notFound(`There is no user named ${name}`);
    return user;
  }

  return {
    /** Disables a user, whoever else did so before. 409 for oneself and for the last enabled site administrator. */
    disableUser: ({ principal }: Caller, name: string): Promise<void> =>
      database.transaction(async (tx) => {
        const user = await requireUser(tx, name);
        if (user.id === principal.userId) throw conflict('You cannot disable yourself; another site administrator can');
        await disable(tx, user, principal.userId);
      }),

    /** Enables a user, whoever disabled it. */
    enableUser: (_caller: Caller, name: string): Promise<void> =>
      database.transaction(async (tx) => enable(tx, await requireUser(tx, name))),

    /**
     * For the organization that owns an account. Never disables a site administrator, and leaves what another did.
     * Returns whether the account was disabled.
     */
    async disableFor(tx: Executor, orgId: string, userId: string): Promise<boolean> {
      const user = await lockAccountById(tx, userId);
      if (!user || user.disabled_at !== null || user.site_admin === 1) return false;
      await disable(tx, user, orgId);
      return true;
    },

    /** Takes back what that organization did, and nothing else. Returns whether the account was enabled. */
    async enableFor(tx: Executor, orgId: string, userId: string): Promise<boolean> {
      const user = await lockAccountById(tx, userId);
      if (user?.disabled_by !== orgId) return false;
      await enable(tx, user);
      return true;
    },
  };
}
