import { entitiesOf, mayWrite, roleOf, roleOfUser, tokenCovers } from '../../access/index.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import type { Principal } from '../../platform/http/authenticate.ts';
import { findRepo, repoFacts } from '../../repositories/index.ts';
import type { Refusal } from '../runners/runner.ts';
import type { StoredSpecification } from './specification.ts';

/** Who wants a job: somebody with a token, or the user for whom a schedule or a webhook does. */
export type Wants = Principal | { readonly userId: string };

/** Why somebody may not mount what a job names. What one may not read is as if it were not there. */
export async function volumesRefusal(
  executor: ReadExecutor,
  { volumes = [] }: StoredSpecification,
  who: Wants,
): Promise<Refusal | undefined> {
  const token = 'token' in who ? who.token : undefined;
  for (const [at, { type, source, readOnly }] of volumes.entries()) {
    const [namespace = '', name = ''] = source.split('/');
    const repo = await findRepo(executor, { type, namespace, name });
    const facts = repo && repoFacts(repo);
    const role =
      facts && ('token' in who ? await roleOf(executor, who, facts) : await roleOfUser(executor, who.userId, facts));
    if (!facts || !role) return { path: `volumes.${at}.source`, message: `there is no ${type} ${source} for you` };
    const writes = type === 'bucket' && readOnly !== true;
    const may = mayWrite(role, facts, who.userId) && (!token || tokenCovers(token, 'repo.write', entitiesOf(facts)));
    if (writes && !may)
      return { path: `volumes.${at}.readOnly`, message: 'must be true: you may not write to this bucket' };
  }
  return undefined;
}
