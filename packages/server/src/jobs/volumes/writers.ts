import type { FindPrincipal } from '../../accounts/index.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { notFound } from '../../platform/http/errors.ts';
import { findRepoById, type RepoName } from '../../repositories/index.ts';
import type { LaunchStanding } from '../runs/standing.ts';

interface Dependencies {
  readonly read: ReadExecutor;
  readonly principalOf: FindPrincipal;
  /** Returns the address of the hub. */
  readonly address: () => string;
}

/**
 * Creates the function that returns on whose behalf a job changes a bucket, as of now: its creator, with the access token
 * of the launch.
 */
export const createWriters =
  ({ read, principalOf, address }: Dependencies) =>
  async (
    { jobId, standing }: { readonly jobId: string; readonly standing: LaunchStanding },
    bucketId: string,
  ): Promise<{ readonly caller: Caller; readonly name: RepoName }> => {
    const principal = await principalOf(read, standing, standing.validAt);
    const bucket = await findRepoById(read, bucketId);
    if (!principal || !bucket) throw notFound('The bucket no longer exists, or the user or access token of the job');
    const url = address();
    return {
      caller: {
        ...{ principal, baseUrl: url, hubUrl: url, url },
        ...{ address: '', userAgent: undefined, requestId: `job-${jobId}` },
      },
      name: { type: 'bucket', namespace: bucket.ownerName, name: bucket.name },
    };
  };

export type Writers = ReturnType<typeof createWriters>;
