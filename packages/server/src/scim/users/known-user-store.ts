import { type RawBuilder, sql } from 'kysely';
import { contains } from '../../platform/database/contains.ts';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';
import { fold } from '../protocol/filter/filter.ts';
import { IS_MEMBER_OR_INVITED } from './column-conditions.ts';

/** The data of an organization's identity provider about a user. */
export interface ProviderRecord {
  readonly userId: string;
  readonly organization: string;
  readonly owned: boolean;
  readonly active: boolean;
  /** The address according to the provider. */
  readonly email: string | null;
}

/** The condition that an identity provider gives one of `accounts` an address that contains a text. */
export const hasProviderEmail = (search: string): RawBuilder<boolean> =>
  sql<boolean>`exists (
    select 1 from scim_users known where known.user_id = accounts.id
      and ${contains(sql.ref('known.email_key'), fold(search))}
  )`;

interface Row extends Pick<ProviderRecord, 'userId' | 'organization' | 'email'> {
  readonly owned: number;
  readonly active: number;
}

/** Returns the data of identity providers about some users, for site administrators. */
export async function findProviderRecords(
  executor: ReadExecutor,
  userIds: readonly string[],
): Promise<ProviderRecord[]> {
  const { rows } = await sql<Row>`
    select s.user_id as "userId", o.name as organization, s.owned, s.email, ${IS_MEMBER_OR_INVITED} as active
    from scim_users s
    join accounts o on o.id = s.org_id
    left join memberships m on m.org_id = s.org_id and m.user_id = s.user_id
    left join invitations i on i.org_id = s.org_id and i.user_id = s.user_id
    where ${whereIn(executor, 's.user_id', userIds)}
    order by o.name_key`.execute(executor);
  return rows.map(({ owned, active, ...row }) => ({ ...row, owned: owned === 1, active: active === 1 }));
}

/** Returns whether SCIM manages a user, and whether a SCIM group gives the user the role in the organization. */
export async function findScimProvisioning(
  tx: Executor,
  orgId: string,
  userId: string,
): Promise<{ readonly isKnown: boolean; readonly givesRole: boolean }> {
  const known = await tx
    .selectFrom('scim_users')
    .select('user_id')
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  const given = await tx
    .selectFrom('scim_roles')
    .select('user_id')
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return { isKnown: known !== undefined, givesRole: given !== undefined };
}
