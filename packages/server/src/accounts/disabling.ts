import { type AuditLog, recordForSite } from '../audit-log/index.ts';
import type { Clock } from '../platform/clock.ts';
import { afterCommit, type Database, type Executor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { conflict } from '../platform/http/errors.ts';
import type { Signals } from '../platform/queue/signals.ts';
import { accountTopic } from './events.ts';
import { requireUser } from './require-user.ts';
import { requireASiteAdmin } from './site-admins.ts';
import { type Account, lockAccountById, lockAccountNamed, updateAccount } from './store.ts';

export type Disabling = ReturnType<typeof createDisabling>;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly events: Events;
  readonly audit: AuditLog;
  /** Called before a user is disabled or enabled. */
  readonly onChange: (tx: Executor, userId: string) => Promise<void>;
  /** Makes open streams of a user look their caller up again. */
  readonly callers: Signals;
}

/**
 * Disables and enables users. The tokens of a disabled user are unknown to the hub, the user's streams end, and nothing
 * runs on the user's behalf; everything is kept and works again once the user is enabled.
 */
export function createDisabling({ database, clock, events, audit, onChange, callers }: Dependencies) {
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

  const record = (tx: Executor, caller: Caller, type: 'user.disable' | 'user.enable', { id, name }: Account) =>
    recordForSite(audit, tx, caller, {
      type,
      message: `${type === 'user.disable' ? 'Disabled' : 'Enabled'} the user ${name}`,
      data: { user: { _id: id, user: name } },
    });

  return {
    /**
     * Disables a user, even if somebody else has done so before. Throws 409 for the caller and for the last enabled
     * site administrator.
     */
    disableUser: (caller: Caller, name: string): Promise<void> =>
      database.transaction(async (tx) => {
        const { principal } = caller;
        const user = requireUser(await lockAccountNamed(tx, name), name);
        if (user.id === principal.userId) throw conflict('You cannot disable yourself; another site administrator can');
        await disable(tx, user, principal.userId);
        await record(tx, caller, 'user.disable', user);
      }),

    /** Enables a user, whoever disabled the user. */
    enableUser: (caller: Caller, name: string): Promise<void> =>
      database.transaction(async (tx) => {
        const user = requireUser(await lockAccountNamed(tx, name), name);
        await enable(tx, user);
        if (user.disabled_at !== null) await record(tx, caller, 'user.enable', user);
      }),

    /**
     * Disables a user on behalf of the organization that owns the account. Never disables a site administrator, and
     * keeps an earlier disabling by others. Returns whether the account was disabled.
     */
    async disableFor(tx: Executor, orgId: string, userId: string): Promise<boolean> {
      const user = await lockAccountById(tx, userId);
      if (!user || user.disabled_at !== null || user.site_admin === 1) return false;
      await disable(tx, user, orgId);
      return true;
    },

    /** Reverts a disabling by this organization only. Returns whether the account was enabled. */
    async enableFor(tx: Executor, orgId: string, userId: string): Promise<boolean> {
      const user = await lockAccountById(tx, userId);
      if (user?.disabled_by !== orgId) return false;
      await enable(tx, user);
      return true;
    },
  };
}
