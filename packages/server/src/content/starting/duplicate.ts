import type { Database } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { badRequest, conflict } from '../../platform/http/errors.ts';
import {
  BRANCH,
  fullName,
  MAIN,
  type NewRepoSettings,
  type RepoName,
  type Repositories,
  readRepoFiles,
  rootCommitsOf,
  TAG,
} from '../../repositories/index.ts';
import type { LargeFiles } from '../large-files/assembly.ts';
import type { RepositoryObjects } from '../objects.ts';
import { refsWithTags } from '../store.ts';

interface Dependencies {
  readonly database: Database;
  readonly objects: RepositoryObjects;
  readonly largeFiles: Pick<LargeFiles, 'copyAll'>;
  readonly createWith: Repositories['createWith'];
}

export type Duplicate = ReturnType<typeof createDuplicate>;

/**
 * The verb that creates a repository with the branches, tags, commits and large files of another repository of its
 * type.
 */
export function createDuplicate({ database, objects, largeFiles, createWith }: Dependencies) {
  return async (caller: Caller, from: RepoName, to: RepoName, settings: NewRepoSettings) => {
    const source = await readRepoFiles(database.read, caller, from);
    if (source.head_sha === null) throw badRequest('A bucket has no commits that could be copied');
    // A copy of a private repository is private, and that of a gated one gated; that of a public one is what its owner makes of new repositories.
    const inherited = settings.visibility === undefined && source.private === 1 ? true : undefined;
    const isPrivate = settings.private ?? inherited;
    const { url } = await createWith(
      caller,
      to,
      {
        ...{ ...settings, sdk: source.sdk ?? undefined, gated: source.gated ?? false },
        ...(isPrivate !== undefined && { private: isPrivate }),
        space: { ...settings.space, ...(source.type === 'space' && { copyOf: source.id }) },
      },
      async ({ id }) => {
        // Refs are read before objects are copied, so that every commit of a ref is among the objects.
        const all = await refsWithTags(database.read, source.id);
        const refs = all.filter(({ ref }) => ref.startsWith(BRANCH) || ref.startsWith(TAG));
        await objects.copy(source.id, id);
        return {
          head: refs.find(({ ref }) => ref === MAIN)?.sha ?? '',
          roots: await rootCommitsOf(database.read, source.id),
          refs,
          copyOf: fullName(source),
          async onInsert(tx, repo) {
            // The caller may have lost access to the source in the meantime, or another repository may have its name.
            if ((await readRepoFiles(tx, caller, from)).id !== source.id)
              throw conflict('Another repository has this name now; try again');
            await largeFiles.copyAll(tx, source.id, { repo, userId: caller.principal.userId });
          },
        };
      },
    );
    return { url };
  };
}
