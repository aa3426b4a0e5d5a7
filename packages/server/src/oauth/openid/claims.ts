import type { UserInfo } from '@moonbase/contract/oauth/protocol';
import type { GrantedScope } from '@moonbase/contract/oauth/scopes';
import { membershipsOf } from '../../access/index.ts';
import { avatarUrl, findAccountById } from '../../accounts/index.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { parseJson } from '../../platform/stored-form.ts';
import type { GrantRow } from '../tables.ts';

/**
 * Returns the claims that an application may read about the user of a grant (I§1.7); undefined if the user is deleted.
 */
export async function claimsOf(
  executor: ReadExecutor,
  grant: Pick<GrantRow, 'user_id' | 'scopes' | 'org_ids'>,
  baseUrl: string,
): Promise<UserInfo | undefined> {
  const scopes = parseJson(grant.scopes);
  const has = (scope: GrantedScope) => scopes.includes(scope);
  const user = await findAccountById(executor, grant.user_id);
  if (!user) return undefined;
  const selected = new Set(parseJson(grant.org_ids));
  const organizations = (await membershipsOf(executor, user.id)).filter(
    ({ id }) => selected.has(id) || has('read-memberships'),
  );
  return {
    sub: user.id,
    ...(has('profile') && {
      name: user.fullname,
      preferred_username: user.name,
      profile: `${baseUrl}/${user.name}`,
      picture: avatarUrl(baseUrl, user),
      isPro: user.pro === 1,
      orgs: organizations.map((org) => ({
        sub: org.id,
        name: org.fullname,
        preferred_username: org.name,
        picture: avatarUrl(baseUrl, org),
        ...(org.plan !== 'free' && { plan: org.plan }),
        ...(has('read-memberships') && { roleInOrg: org.role }),
      })),
    }),
    ...(has('email') && user.email !== null && { email: user.email, email_verified: true }),
  };
}
