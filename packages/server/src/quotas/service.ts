import {
  type AccountQuota,
  type CountQuota,
  type CountUsage,
  MAX_COUNT_QUOTA,
  type OwnQuotas,
  type StorageGib,
  type StorageUsage,
  type updateQuota,
} from '@moonbase/contract/accounts/quotas';
import type { RouteInput } from '@moonbase/contract/route';
import { requireOrganization } from '../access/index.ts';
import { type Account, findAccount, findAccountById, lockAccountNamed, updateAccount } from '../accounts/index.ts';
import { type AuditLog, recordForSite } from '../audit-log/index.ts';
import { bytesOfOwner, defaultQuota, type Quotas, quotaOf } from '../content/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { badRequest, notFound } from '../platform/http/errors.ts';
import { NO_LIMIT } from '../platform/limits/own-quotas.ts';
import { type Counted, countedThings, forEachThing, limitOf } from './counted.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: AuditLog;
  readonly settings: { readonly largeFiles: Quotas } & Parameters<typeof countedThings>[1];
}

type Given = RouteInput<typeof updateQuota>['body'];

export type AccountQuotas = ReturnType<typeof createAccountQuotas>;

/** The quotas of accounts: how much of them is used, and changing them. */
export function createAccountQuotas({ database, clock, audit, settings }: Dependencies) {
  const { read } = database;
  const things = countedThings(clock, settings);
  const storageOf = ({ kind, storage_quota }: Account): number | null =>
    quotaOf(settings.largeFiles, { ownerKind: kind, ownerQuota: storage_quota }) ?? null;

  async function storageUsage(account: Account): Promise<StorageUsage> {
    return { usedBytes: await bytesOfOwner(read, account.id), storageGib: storageOf(account) };
  }

  const countUsage =
    (user: Account) =>
    async (counted: Counted): Promise<CountUsage> => ({
      used: await counted.count(read, user.id, MAX_COUNT_QUOTA),
      limit: limitOf(user, counted),
    });

  const countQuota =
    (user: Account) =>
    async (counted: Counted): Promise<CountQuota> => ({
      ...(await countUsage(user)(counted)),
      isDefault: isDefault(user[counted.column]),
      default: counted.byDefault ?? null,
    });

  async function present(account: Account): Promise<AccountQuota> {
    const { name, kind, storage_quota } = account;
    const defaultStorageGib = defaultQuota(settings.largeFiles, kind) ?? null;
    return {
      ...{ name, type: kind, ...(await storageUsage(account)) },
      ...{ isDefault: isDefault(storage_quota), defaultStorageGib },
      ...(kind === 'user' && (await forEachThing(things, countQuota(account)))),
    };
  }

  /** Records a change of the storage quota in the log of the hub, if there is one. */
  async function recordStorage(tx: Executor, caller: Caller, before: Account, after: Account): Promise<void> {
    if (after.storage_quota === before.storage_quota) return;
    const limit = storageOf(after);
    await recordForSite(audit, tx, caller, {
      type: 'quota.update',
      message: `Set the storage quota of ${after.name} to ${
        isDefault(after.storage_quota) ? `the default, ${gibText(limit)}` : gibText(limit)
      }`,
      data: {
        ...accountData(after),
        before: { storageGib: storageOf(before), isDefault: isDefault(before.storage_quota) },
        after: { storageGib: limit, isDefault: isDefault(after.storage_quota) },
      },
    });
  }

  /** Records the same about a quota of something that is counted. */
  const recordCount = (tx: Executor, caller: Caller, before: Account, after: Account) => async (counted: Counted) => {
    const { column, key, name } = counted;
    if (after[column] === before[column]) return;
    const limit = limitOf(after, counted);
    await recordForSite(audit, tx, caller, {
      type: 'quota.update',
      message: `Set the ${name} of ${after.name} to ${
        isDefault(after[column]) ? `the default, ${countText(limit)}` : countText(limit)
      }`,
      data: {
        ...accountData(after),
        before: { [key]: limitOf(before, counted), isDefault: isDefault(before[column]) },
        after: { [key]: limit, isDefault: isDefault(after[column]) },
      },
    });
  };

  /** Sets quotas of an account that is locked. Throws 400 for a quota that only users have. */
  async function change(tx: Executor, caller: Caller, before: Account, given: Given): Promise<Account> {
    if (before.kind === 'org') refuseThoseOfUsers(given);
    const columns = columnsOf(given);
    await updateAccount(tx, before.id, columns);
    const after = { ...before, ...columns };
    await recordStorage(tx, caller, before, after);
    await forEachThing(things, recordCount(tx, caller, before, after));
    return after;
  }

  return {
    async usageOfCaller({ principal }: Caller): Promise<OwnQuotas> {
      const user = accountIn(await findAccountById(read, principal.userId), principal.userName);
      return { ...(await storageUsage(user)), ...(await forEachThing(things, countUsage(user))) };
    },

    /** Throws 403 unless the caller is a member. */
    async usageOfOrganization({ principal }: Caller, name: string): Promise<StorageUsage> {
      const need = { role: 'member', permission: 'org.read' } as const;
      return storageUsage((await requireOrganization(read, principal, name, need)).organization);
    },

    /** Throws 404 if there is no account with this name. */
    get: async (name: string): Promise<AccountQuota> => present(accountIn(await findAccount(read, name), name)),

    /** Sets quotas of an account. Throws 404 if there is none with this name, 400 for a quota that only users have. */
    async set(caller: Caller, name: string, given: Given): Promise<AccountQuota> {
      const account = await database.transaction(async (tx) =>
        change(tx, caller, accountIn(await lockAccountNamed(tx, name), name), given),
      );
      return present(account);
    },

    /** Sets the storage quota of an account in an open transaction; returns whether it changed. */
    async setStorage(tx: Executor, caller: Caller, name: string, storageGib: StorageGib): Promise<boolean> {
      const before = accountIn(await lockAccountNamed(tx, name), name);
      const after = await change(tx, caller, before, { storageGib });
      return after.storage_quota !== before.storage_quota;
    },
  };
}

function accountIn(account: Account | undefined, name: string): Account {
  if (!account) throw notFound(`There is no user or organization named ${name}`);
  return account;
}

/** Throws 400 if one of the quotas is not that of an organization. */
function refuseThoseOfUsers({ webhooks, tokens, discussions }: Given): void {
  const [key] = Object.entries({ webhooks, tokens, discussions }).find(([, value]) => value !== undefined) ?? [];
  if (key !== undefined) throw badRequest(`body.${key}: is a quota of users; an organization has only storageGib`);
}

/** Returns the columns that a request sets. */
const columnsOf = ({ storageGib, webhooks, tokens, discussions }: Given) => ({
  ...(storageGib !== undefined && { storage_quota: storedForm(storageGib, 1000) }),
  ...(webhooks !== undefined && { webhook_quota: storedForm(webhooks) }),
  ...(tokens !== undefined && { token_quota: storedForm(tokens) }),
  ...(discussions !== undefined && { discussion_quota: storedForm(discussions) }),
});

function storedForm(given: number | null | 'default', factor = 1): number | null {
  if (given === 'default') return null;
  return given === null ? NO_LIMIT : Math.round(given * factor);
}

const isDefault = (own: number | null): boolean => own === null;
const gibText = (gibibytes: number | null): string => (gibibytes === null ? 'no limit' : `${gibibytes} GiB`);
const countText = (count: number | null): string => (count === null ? 'no limit' : count.toLocaleString('en'));
const accountData = ({ id, kind, name }: Account) => ({ [kind]: { _id: id, name } });
