import { entitiesOf, mayWrite, roleOf, roleOfUser, tokenCovers } from '../access/index.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import type { Principal } from '../platform/http/authenticate.ts';
import { findRepo, isGatedFor, repoFacts } from '../repositories/index.ts';
import type { Volume } from './volume-policy.ts';

/** The user for whom something is mounted: a caller with a token, or the creator of a schedule or a webhook. */
export type RunsFor = Principal | { readonly userId: string };

interface VolumeRefusal {
  readonly path: string;
  readonly message: string;
}

/**
 * Returns why a user may not mount the volumes of a job or a Space. Repositories that the user may not read are reported as
 * missing.
 */
export async function volumesRefusal(
  executor: ReadExecutor,
  { volumes = [] }: { readonly volumes?: readonly Volume[] | undefined },
  who: RunsFor,
): Promise<VolumeRefusal | undefined> {
  const token = 'token' in who ? who.token : undefined;
  for (const [at, { type, source, readOnly }] of volumes.entries()) {
    const [namespace = '', name = ''] = source.split('/');
    const repo = await findRepo(executor, { type, namespace, name });
    const facts = repo && repoFacts(repo);
    const role =
      facts && ('token' in who ? await roleOf(executor, who, facts) : await roleOfUser(executor, who.userId, facts));
    if (!repo || !facts || !role)
      return { path: `volumes.${at}.source`, message: `there is no ${type} ${source} for you` };
    if (await isGatedFor(executor, { userId: who.userId, token }, repo))
      return {
        path: `volumes.${at}.source`,
        message: `is gated: you need access to the files of the ${type} ${source}`,
      };
    const writes = type === 'bucket' && readOnly !== true;
    const canWrite =
      mayWrite(role, facts, who.userId) && (!token || tokenCovers(token, 'repo.write', entitiesOf(facts)));
    if (writes && !canWrite)
      return { path: `volumes.${at}.readOnly`, message: 'must be true: you may not write to this bucket' };
  }
  return undefined;
}
