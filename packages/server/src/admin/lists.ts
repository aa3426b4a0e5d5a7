import type { OrganizationEntry, UserEntry } from '@moonbase/contract/admin/lists';
import { type Account, accountPage, avatarUrl, findAccountsById, lastUses } from '../accounts/index.ts';
import { timestamp } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { encodeCursor, idFromCursor, type PageOf } from '../platform/http/pagination.ts';
import { type KnownAt, knownByEmail, knownUsers } from '../scim/index.ts';
import { type OrganizationFigures, organizationFigures } from './store.ts';

interface Query {
  readonly search?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

export type AdminLists = ReturnType<typeof createAdminLists>;

/** Everybody and every organization of the hub, newest first, for site administrators. */
export function createAdminLists({ database: { read } }: { readonly database: Database }) {
  async function page<T>(
    kind: Account['kind'],
    { cursor, limit, search, disabled }: Query,
    present: (rows: readonly Account[], ids: readonly string[]) => Promise<T[]>,
  ): Promise<PageOf<T>> {
    const orBy = kind === 'user' && search !== undefined ? knownByEmail(search) : undefined;
    const filter = { kind, search, orBy, disabled, before: idFromCursor(cursor) };
    const { rows, next } = await accountPage(read, filter, limit);
    const ids = rows.map(({ id }) => id);
    return { items: await present(rows, ids), next: next && encodeCursor(next) };
  }

  return {
    users: ({ baseUrl }: Caller, query: Query): Promise<PageOf<UserEntry>> =>
      page('user', query, async (rows, ids) => {
        const disablers = findAccountsById(
          read,
          rows.flatMap((row) => row.disabled_by ?? []),
        );
        const [uses, known, by] = await Promise.all([lastUses(read, ids), knownUsers(read, ids), disablers]);
        return rows.map((row) =>
          presentUser(baseUrl, row, {
            lastUsedAt: uses.get(row.id),
            known: known.filter(({ userId }) => userId === row.id),
            disabledBy: by.get(row.disabled_by ?? '')?.name,
          }),
        );
      }),

    organizations: ({ baseUrl }: Caller, query: Query): Promise<PageOf<OrganizationEntry>> =>
      page('org', query, async (rows, ids) => {
        const figures = await organizationFigures(read, ids);
        return rows.flatMap((row) => {
          const of = figures.get(row.id);
          // Deleted for good in between.
          return of ? [presentOrganization(baseUrl, row, of)] : [];
        });
      }),
  };
}

interface OfUser {
  readonly lastUsedAt: number | undefined;
  readonly known: readonly KnownAt[];
  readonly disabledBy: string | undefined;
}

const presentUser = (baseUrl: string, row: Account, { lastUsedAt, known, disabledBy }: OfUser): UserEntry => ({
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
  ...(known.length > 0 && { scim: known.map(presentKnown) }),
});

const presentKnown = ({ organization, owned, active, email }: KnownAt) => ({
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
