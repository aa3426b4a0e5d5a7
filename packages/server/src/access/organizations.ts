import type { BuiltInRole } from '@moonbase/contract/primitives';
import { type Account, findAccount } from '../accounts/index.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { Principal } from '../platform/http/authenticate.ts';
import { forbidden, notFound } from '../platform/http/errors.ts';
import { requirePermission } from './service.ts';
import { membershipRole } from './store.ts';

/**
 * The organization of that name and the caller's role in it. 404 where there is none, 403 where the caller's role or
 * token does not reach.
 */
export async function requireOrganization(
  executor: Executor,
  principal: Principal,
  name: string,
  need: 'admin',
): Promise<{ organization: Account; role: BuiltInRole }> {
  const organization = await findAccount(executor, name);
  if (organization?.kind !== 'org') throw notFound(`There is no organization named ${name}`);
  const role = await membershipRole(executor, organization.id, principal.userId);
  if (role !== need) throw forbidden(`Only admins of ${organization.name} may do this`);
  requirePermission(principal, 'org.write', [organization.id]);
  return { organization, role };
}
