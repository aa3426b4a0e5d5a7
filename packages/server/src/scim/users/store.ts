import { sql } from 'kysely';
import * as z from 'zod';
import { argumentsFor, prepared } from '../../platform/database/prepared.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';
import { readStored } from '../../platform/stored-form.ts';
import type { ScimUserRow } from '../tables.ts';

/** The role and groups of a user at the time when SCIM ended the membership. */
const FormerMembership = z.object({
  role: z.string(),
  /** Only resource groups that SCIM does not manage: in the others, role synchronization restores the user. */
  groups: z.array(z.object({ id: z.string(), role: z.string() })),
});
export type FormerMembership = z.infer<typeof FormerMembership>;

export const parseFormerMembership = (text: string): FormerMembership =>
  readStored(FormerMembership, JSON.parse(text), 'What SCIM took of a user');

const COLUMNS = [
  'org_id',
  'user_id',
  'owned',
  'user_name',
  'user_name_key',
  'external_id',
  'given_name',
  'family_name',
  'formatted',
  'display_name',
  'email',
  'email_key',
  'email_type',
  'email_primary',
  'taken',
  'created_at',
  'updated_at',
] as const;

const inserted = prepared<ScimUserRow>()((tx: Executor, argument) =>
  tx.insertInto('scim_users').values(argumentsFor(COLUMNS, argument)),
);

/** Throws if another user of the organization has the name or the external id. */
export async function insertScimUser(tx: Executor, row: ScimUserRow): Promise<void> {
  await inserted(tx, row);
}

export async function updateScimUser(
  tx: Executor,
  orgId: string,
  userId: string,
  change: Partial<ScimUserRow>,
): Promise<void> {
  await tx.updateTable('scim_users').set(change).where('org_id', '=', orgId).where('user_id', '=', userId).execute();
}

export const storeFormerMembership = (
  tx: Executor,
  orgId: string,
  userId: string,
  taken: FormerMembership | null,
): Promise<void> => updateScimUser(tx, orgId, userId, { taken: taken && JSON.stringify(taken) });

/** Returns what restoring a user needs: whether SCIM created the account, and what was taken. */
export async function findFormerMembership(
  tx: Executor,
  orgId: string,
  userId: string,
): Promise<{ readonly owned: boolean; readonly taken: FormerMembership | undefined }> {
  const row = await tx
    .selectFrom('scim_users')
    .select(['owned', 'taken'])
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return { owned: row?.owned === 1, taken: row?.taken ? parseFormerMembership(row.taken) : undefined };
}

/** Deletes SCIM's record of a user in an organization. */
export async function deleteScimUser(tx: Executor, orgId: string, userId: string): Promise<void> {
  await tx
    .deleteFrom('scim_group_members')
    .where('user_id', '=', userId)
    .where('group_id', 'in', (of) => of.selectFrom('scim_groups').select('id').where('org_id', '=', orgId))
    .execute();
  for (const table of ['scim_roles', 'scim_users'] as const)
    await tx.deleteFrom(table).where('org_id', '=', orgId).where('user_id', '=', userId).execute();
}

interface Namesake {
  readonly id: string;
  readonly kind: 'user' | 'org';
  readonly name: string;
  readonly fullname: string;
  readonly email: string | null;
  readonly byName: number;
  readonly member: number;
  readonly known: number;
}

const namesakes = prepared<{ orgId: string; key: string }>()((executor, argument) => {
  const account = sql`a.id, a.kind, a.name, a.fullname, a.email`;
  const standing = sql`
    (select count(*) from memberships m where m.org_id = ${argument('orgId')} and m.user_id = a.id) as member,
    (select count(*) from scim_users s where s.org_id = ${argument('orgId')} and s.user_id = a.id) as known`;
  return executor
    .selectFrom(
      sql<Namesake>`(
        select ${account}, 1 as ${sql.id('byName')}, ${standing} from accounts a where a.name_key = ${argument('key')}
        union all
        select ${account}, 0, ${standing} from accounts a where lower(a.email) = ${argument('key')}
      )`.as('found'),
    )
    .selectAll();
});

/** Returns the accounts whose name or own e-mail address equals a user name, with their status in the organization. */
export const findNamesakes = (executor: Executor, orgId: string, key: string): Promise<Namesake[]> =>
  namesakes(executor, { orgId, key });

/** Returns those of the name keys that accounts have. */
export async function takenNames(executor: Executor, keys: readonly string[]): Promise<Map<string, string>> {
  const rows = await executor
    .selectFrom('accounts')
    .select(['id', 'name_key'])
    .where(whereIn(executor, 'name_key', keys))
    .execute();
  return new Map(rows.map((row) => [row.name_key, row.id]));
}
