import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import { parseJson } from '../platform/stored-form.ts';
import type { OrganizationSettingsRow } from './tables.ts';

export interface OrganizationSettings
  extends Omit<
    OrganizationSettingsRow,
    'org_id' | 'join_domains' | 'verified_domains' | 'token_max_days' | 'default_repo_visibility'
  > {
  readonly join_domains: readonly string[];
  readonly verified_domains: readonly string[];
  readonly token_max_days: number | null;
  readonly default_repo_visibility: 'public' | 'private' | null;
}

const DEFAULTS: OrganizationSettings = {
  members_private: 0,
  group_creators: 'admin',
  join_domains: [],
  token_policy: 'any',
  deleted_at: null,
  verified_domains: [],
  token_max_days: null,
  default_repo_visibility: null,
};

/** Returns the settings of an organization, with defaults for those that were never set. */
export async function settingsOf(executor: ReadExecutor, orgId: string): Promise<OrganizationSettings> {
  const row = await executor
    .selectFrom('organization_settings')
    .selectAll()
    .where('org_id', '=', orgId)
    .executeTakeFirst();
  if (!row) return DEFAULTS;
  return {
    ...row,
    join_domains: parseJson<string[]>(row.join_domains),
    verified_domains: parseJson<string[]>(row.verified_domains),
  };
}

/** Changes some settings. The organization must be locked. */
export async function updateSettings(
  tx: Executor,
  orgId: string,
  change: Partial<OrganizationSettings>,
): Promise<void> {
  const { join_domains, verified_domains, ...settings } = { ...(await settingsOf(tx, orgId)), ...change };
  const { members_private, group_creators, token_policy, token_max_days, deleted_at, default_repo_visibility } =
    settings;
  const row = {
    ...{ members_private, group_creators, token_policy, token_max_days, deleted_at, default_repo_visibility },
    join_domains: JSON.stringify(join_domains),
    verified_domains: JSON.stringify(verified_domains),
  };
  await tx
    .insertInto('organization_settings')
    .values({ org_id: orgId, ...row })
    .onConflict((conflict) => conflict.column('org_id').doUpdateSet(row))
    .execute();
}
