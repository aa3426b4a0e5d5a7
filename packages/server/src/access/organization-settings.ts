import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import type { OrganizationSettingsRow } from './tables.ts';

export interface OrganizationSettings
  extends Omit<OrganizationSettingsRow, 'org_id' | 'join_domains' | 'verified_domains'> {
  readonly join_domains: readonly string[];
  readonly verified_domains: readonly string[];
}

const DEFAULTS: OrganizationSettings = {
  members_private: 0,
  group_creators: 'admin',
  join_domains: [],
  token_policy: 'any',
  deleted_at: null,
  verified_domains: [],
};

/** The settings of an organization, those that were never set with their defaults. */
export async function settingsOf(executor: ReadExecutor, orgId: string): Promise<OrganizationSettings> {
  const row = await executor
    .selectFrom('organization_settings')
    .selectAll()
    .where('org_id', '=', orgId)
    .executeTakeFirst();
  if (!row) return DEFAULTS;
  return {
    ...row,
    join_domains: JSON.parse(row.join_domains) as string[],
    verified_domains: JSON.parse(row.verified_domains) as string[],
  };
}

/** Changes some settings; the others stay. The organization must be locked. */
export async function updateSettings(
  tx: Executor,
  orgId: string,
  change: Partial<OrganizationSettings>,
): Promise<void> {
  const { members_private, group_creators, join_domains, token_policy, deleted_at, verified_domains } = {
    ...(await settingsOf(tx, orgId)),
    ...change,
  };
  const row = {
    members_private,
    group_creators,
    join_domains: JSON.stringify(join_domains),
    token_policy,
    deleted_at,
    verified_domains: JSON.stringify(verified_domains),
  };
  await tx
    .insertInto('organization_settings')
    .values({ org_id: orgId, ...row })
    .onConflict((conflict) => conflict.column('org_id').doUpdateSet(row))
    .execute();
}
