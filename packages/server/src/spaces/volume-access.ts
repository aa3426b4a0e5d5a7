import { entitiesOf, mayWrite, roleOf, tokenCovers } from '../access/index.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import type { Principal } from '../platform/http/authenticate.ts';
import { findRepo, isGatedFor, repoFacts } from '../repositories/index.ts';
import type { Volume } from './volume-policy.ts';

interface VolumeRefusal {
  readonly path: string;
  readonly message: string;
}

/**
 * Returns why a caller may not mount the volumes of a job or a Space. Repositories that the caller may not read are reported as
 * missing.
 */
export async function volumesRefusal(
  executor: ReadExecutor,
  { volumes = [] }: { readonly volumes?: readonly Volume[] | undefined },
  principal: Principal,
): Promise<VolumeRefusal | undefined> {
  for (const [at, { type, source, readOnly }] of volumes.entries()) {
    const [namespace = '', name = ''] = source.split('/');
    const repo = await findRepo(executor, { type, namespace, name });
    const facts = repo && repoFacts(repo);
    const role = facts && (await roleOf(executor, principal, facts));
    if (!repo || !facts || !role)
      return { path: `volumes.${at}.source`, message: `there is no ${type} ${source} for you` };
    if (await isGatedFor(executor, principal, repo))
      return {
        path: `volumes.${at}.source`,
        message: `is gated: you need access to the files of the ${type} ${source}`,
      };
    const writes = type === 'bucket' && readOnly !== true;
    const canWrite =
      mayWrite(role, facts, principal.userId) && tokenCovers(principal.token, 'repo.write', entitiesOf(facts));
    if (writes && !canWrite)
      return { path: `volumes.${at}.readOnly`, message: 'must be true: you may not write to this bucket' };
  }
  return undefined;
}
