import { type RawBuilder, sql } from 'kysely';
import { contains } from '../../platform/database/contains.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';
import { fold } from '../protocol/filter/filter.ts';
import { BELONGS } from './columns.ts';

/** What the identity provider of one organization says of a user. */
export interface KnownAt {
  readonly userId: string;
  readonly organization: string;
  readonly owned: boolean;
  readonly active: boolean;
  /** What it says that the user's address is. */
  readonly email: string | null;
}

/** That an identity provider gives one of `accounts` an address with a text in it. */
export const knownByEmail = (search: string): RawBuilder<boolean> =>
  sql<boolean>`exists (
    select 1 from scim_users known where known.user_id = accounts.id
      and ${contains(sql.ref('known.email_key'), fold(search))}
  )`;

interface Row extends Pick<KnownAt, 'userId' | 'organization' | 'email'> {
  readonly owned: number;
  readonly active: number;
}

/** What identity providers say of some users, for site administrators. */
export async function knownUsers(executor: ReadExecutor, userIds: readonly string[]): Promise<KnownAt[]> {
  const { rows } = await sql<Row>`
    select s.user_id as "userId", o.name as organization, s.owned, s.email, ${BELONGS} as active
    from scim_users s
    join accounts o on o.id = s.org_id
    left join memberships m on m.org_id = s.org_id and m.user_id = s.user_id
    left join invitations i on i.org_id = s.org_id and i.user_id = s.user_id
    where ${whereIn(executor, 's.user_id', userIds)}
    order by o.name_key`.execute(executor);
  return rows.map(({ owned, active, ...row }) => ({ ...row, owned: owned === 1, active: active === 1 }));
}
