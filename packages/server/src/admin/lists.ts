import type { OrganizationEntry, UserEntry } from '@moonbase/contract/admin/lists';
import { type Account, accountPage, avatarUrl, findAccount, findAccountsById, lastUses } from '../accounts/index.ts';
import { timestamp } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { notFound } from '../platform/http/errors.ts';
import { encodeCursor, idFromCursor, type PageOf } from '../platform/http/pagination.ts';
import { findProviderRecords, hasProviderEmail, type ProviderRecord } from '../scim/index.ts';
import { type OrganizationFigures, organizationFigures } from './store.ts';

interface Query {
  readonly search?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

export type AdminLists = ReturnType<typeof createAdminLists>;

/** Lists all users and organizations of the hub, newest first, for site administrators. */
export function createAdminLists({ database: { read } }: { readonly database: Database }) {
  async function page<T>(
    kind: Account['kind'],
    { cursor, limit, search, disabled }: Query,
    present: (rows: readonly Account[]) => Promise<T[]>,
  ): Promise<PageOf<T>> {
    const orMatches = kind === 'user' && search !== undefined ? hasProviderEmail(search) : undefined;
    const filter = { kind, search, orMatches, disabled, before: idFromCursor(cursor) };
    const { rows, next } = await accountPage(read, filter, limit);
    return { items: await present(rows), next: next && encodeCursor(next) };
  }

  async function presentUsers(baseUrl: string, rows: readonly Account[]): Promise<UserEntry[]> {
    const ids = rows.map(({ id }) => id);
    const disablers = rows.flatMap((row) => row.disabled_by ?? []);
    const [uses, known, by] = await Promise.all([
      lastUses(read, ids),
      findProviderRecords(read, ids),
      findAccountsById(read, disablers),
    ]);
    return rows.map((row) =>
      presentUser(baseUrl, row, {
        lastUsedAt: uses.get(row.id),
        known: known.filter(({ userId }) => userId === row.id),
        disabledBy: by.get(row.disabled_by ?? '')?.name,
      }),
    );
  }

  return {
    users: ({ baseUrl }: Caller, query: Query): Promise<PageOf<UserEntry>> =>
      page('user', query, (rows) => presentUsers(baseUrl, rows)),

    /** Throws 404 if there is no user with this name. */
    async user({ baseUrl }: Caller, name: string): Promise<UserEntry> {
      const account = await findAccount(read, name);
      const [entry] = account?.kind === 'user' ? await presentUsers(baseUrl, [account]) : [];
      if (!entry) throw notFound(`There is no user named ${name}`);
      return entry;
    },

    organizations: ({ baseUrl }: Caller, query: Query): Promise<PageOf<OrganizationEntry>> =>
      page('org', query, async (rows) => {
        const figures = await organizationFigures(
          read,
          rows.map(({ id }) => id),
        );
        return rows.flatMap((row) => {
          const of = figures.get(row.id);
          // The organization was removed between the two queries.
          return of ? [presentOrganization(baseUrl, row, of)] : [];
        });
      }),
  };
}

interface UserEntryParts {
  readonly lastUsedAt: number | undefined;
  readonly known: readonly ProviderRecord[];
  readonly disabledBy: string | undefined;
}

const presentUser = (baseUrl: string, row: Account, { lastUsedAt, known, disabledBy }: UserEntryParts): UserEntry => ({
  id: row.id,
  type: 'user',
  name: row.name,
  fullname: row.fullname,
  ...(row.email !== null && { email: row.email }),
  avatarUrl: avatarUrl(baseUrl, row),
  isPro: row.pro === 1,
  isAdmin: row.site_admin === 1,
  disabled: row.disabled_at !== null,
  ...(row.disabled_at !== null && { disabledAt: timestamp(row.disabled_at) }),
  ...(disabledBy !== undefined && { disabledBy }),
  createdAt: timestamp(row.created_at),
  ...(lastUsedAt !== undefined && { lastUsedAt: timestamp(lastUsedAt) }),
  ...(known.length > 0 && { scim: known.map(presentProviderRecords) }),
});

const presentProviderRecords = ({ organization, owned, active, email }: ProviderRecord) => ({
  organization,
  owned,
  active,
  ...(email !== null && { email }),
});

const presentOrganization = (baseUrl: string, row: Account, figures: OrganizationFigures): OrganizationEntry => ({
  id: row.id,
  type: 'org',
  name: row.name,
  fullname: row.fullname,
  avatarUrl: avatarUrl(baseUrl, row),
  plan: row.plan,
  numMembers: figures.members,
  numRepos: figures.repos,
  createdAt: timestamp(row.created_at),
  ...(figures.deletedAt !== null && { deletedAt: timestamp(figures.deletedAt) }),
});
