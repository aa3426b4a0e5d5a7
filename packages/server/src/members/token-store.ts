import { fineGrainedFrom, type TokenRow } from '../accounts/index.ts';
import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';
import { encodeCursor } from '../platform/http/pagination.ts';

const memberTokens = (executor: ReadExecutor, orgId: string, before: string | undefined, limit: number) => {
  const query = executor
    .selectFrom('tokens')
    .innerJoin('memberships', 'memberships.user_id', 'tokens.user_id')
    .innerJoin('accounts', 'accounts.id', 'tokens.user_id')
    .leftJoin('organization_tokens', (join) =>
      join.onRef('organization_tokens.token_id', '=', 'tokens.id').on('organization_tokens.org_id', '=', orgId),
    )
    .select([
      'tokens.id',
      'tokens.role',
      'tokens.last4',
      'tokens.display_name as displayName',
      'tokens.fine_grained',
      'tokens.last_used_at as lastUsedAt',
      'tokens.expires_at as expiresAt',
      'accounts.name as userName',
      'memberships.base_role as baseRole',
      'organization_tokens.status',
    ])
    .where('memberships.org_id', '=', orgId)
    .orderBy('tokens.id', 'desc')
    .limit(limit);
  return (before === undefined ? query : query.where('tokens.id', '<', before)).execute();
};
type MemberTokenRow = Awaited<ReturnType<typeof memberTokens>>[number];

/**
 * The maximum number of batches of fine-grained tokens examined for one page, most of which may not reach the
 * organization.
 */
const MAX_ROUNDS = 10;
const MIN_BATCH = 200;

/**
 * Returns at most `limit` tokens of members that reach an organization, newest first, and the start of the next page.
 */
export async function listTokensReaching(
  executor: ReadExecutor,
  orgId: string,
  before: string | undefined,
  limit: number,
) {
  const rows: MemberTokenRow[] = [];
  const batch = Math.max(limit, MIN_BATCH);
  let last = before;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const found = await memberTokens(executor, orgId, last, batch);
    for (const row of await reaching(executor, orgId, found)) {
      if (rows.length === limit) return { rows, next: encodeCursor(rows[limit - 1]?.id ?? '') };
      rows.push(row);
    }
    last = found.at(-1)?.id;
    if (found.length < batch) return { rows, next: undefined };
  }
  return { rows, next: last === undefined ? undefined : encodeCursor(last) };
}

/**
 * Returns those of the tokens that reach an organization: a fine-grained token needs a scope on the organization or on
 * an object that it owns.
 */
async function reaching<Token extends Pick<TokenRow, 'role' | 'fine_grained'>>(
  executor: ReadExecutor,
  orgId: string,
  tokens: readonly Token[],
): Promise<Token[]> {
  const entities = (token: Token) =>
    token.role === 'fineGrained'
      ? (fineGrainedFrom(token.fine_grained)?.scoped ?? []).map(({ entity }) => entity._id)
      : [];
  const named = [...new Set(tokens.flatMap(entities))];
  const own = new Set([orgId]);
  if (named.length > 0) {
    const repos = await executor
      .selectFrom('repositories')
      .select('id')
      .where('owner_id', '=', orgId)
      .where(whereIn(executor, 'id', named))
      .execute();
    const groups = await executor
      .selectFrom('resource_groups')
      .select('id')
      .where('org_id', '=', orgId)
      .where(whereIn(executor, 'id', named))
      .execute();
    const collections = await executor
      .selectFrom('collections')
      .select('id')
      .where('owner_id', '=', orgId)
      .where(whereIn(executor, 'id', named))
      .execute();
    for (const { id } of [...repos, ...groups, ...collections]) own.add(id);
  }
  return tokens.filter((token) => token.role !== 'fineGrained' || entities(token).some((id) => own.has(id)));
}

/** Returns the ids of the organizations in which a token needs approval. */
export async function orgsRequiringApproval(executor: Executor, token: TokenRow): Promise<string[]> {
  const rows = await executor
    .selectFrom('memberships')
    .innerJoin('organization_settings', 'organization_settings.org_id', 'memberships.org_id')
    .select('memberships.org_id as id')
    .where('memberships.user_id', '=', token.user_id)
    .where('memberships.base_role', '<>', 'admin')
    .where('organization_settings.token_policy', '=', 'approval')
    .where('organization_settings.deleted_at', 'is', null)
    .orderBy('memberships.org_id')
    .execute();
  const asking: string[] = [];
  for (const { id } of rows) if ((await reaching(executor, id, [token])).length > 0) asking.push(id);
  return asking;
}
