import { withId } from '../../platform/git/objects/object.ts';
import type { WarningLogger } from '../../platform/logger.ts';
import type { RepositoryObjects } from '../objects.ts';
import { encodePointer } from '../pointer.ts';
import type { UncommittedFile } from './grant-store.ts';

interface Dependencies {
  readonly objects: RepositoryObjects;
  readonly logger: WarningLogger;
}

export type IsCommitted = ReturnType<typeof createCommittedFiles>;

/**
 * Creates the function that returns whether a repository has the pointer to a file, whatever the rows say: a file that
 * was deleted and uploaded again is in older commits. A repository that cannot be read may have it.
 */
export const createCommittedFiles =
  ({ objects, logger }: Dependencies) =>
  async ({ repo_id: repoId, sha256, size }: UncommittedFile): Promise<boolean> => {
    try {
      return await objects.open(repoId).has(withId({ type: 'blob', body: encodePointer({ sha256, size }) }).id);
    } catch (err) {
      logger.warn({ err, repoId }, 'whether a large file is in a commit could not be found out');
      return true;
    }
  };
