import { createRefresher } from '../platform/concurrency/refresher.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { GitStore } from '../platform/git/git-store.ts';
import { parseCommit } from '../platform/git/objects/commit.ts';
import { type GitObject, type NamedObject, withId } from '../platform/git/objects/object.ts';
import type { GitRepository } from '../platform/git/repository.ts';
import { createKeyedMutex } from '../platform/mutex.ts';
import { ROOT_TREES, type RootCommit, rootCommitsOf } from '../repositories/index.ts';
import { gitRepoIds, refsWithTags } from './store.ts';

export type RepositoryObjects = ReturnType<typeof createRepositoryObjects>;

const ROOT_OBJECTS = new Map([...ROOT_TREES.values()].flat().map((object) => [object.id, object]));
const REPOS_PER_PAGE = 500;
/** The least time between two writes of the refs of one repository for stock git. */
const REFS_REST_MS = 200;

/** Returns the objects of a root commit, the commit itself last. */
function withTree({ body }: RootCommit): NamedObject[] {
  const commit = withId({ type: 'commit', body: Buffer.from(body) });
  return [...(ROOT_TREES.get(parseCommit(commit.body).tree) ?? []), commit];
}

interface Dependencies {
  readonly database: Database;
  readonly store: GitStore;
  /** Called with the error when refs could not be written to the disk. */
  readonly onRefsFailed: (error: unknown) => void;
  /** Called with the id of a repository after each change of its refs. */
  readonly onChanged?: (repoId: string) => void;
}

/** What writing refs to the disk has come to; a repository that is being deleted has none. */
type RefsWritten = 'none' | 'unchanged' | 'changed';

/**
 * The git objects of repositories. Root commits stay rows until the first other commit, so creating a repository
 * touches no file. The refs on the disk follow the rows, for stock git.
 */
export function createRepositoryObjects({
  database: { read },
  store,
  onRefsFailed,
  onChanged = () => {},
}: Dependencies) {
  /** Serializes the hub's own writes to one repository. */
  const runExclusive = createKeyedMutex();

  async function rootObject(repoId: string, id: string): Promise<GitObject | undefined> {
    const standard = ROOT_OBJECTS.get(id);
    if (standard) return standard;
    const commit = (await rootCommitsOf(read, repoId)).find(({ sha }) => sha === id);
    return commit && { type: 'commit', body: Buffer.from(commit.body) };
  }

  const open = (repoId: string): GitRepository => store.open(repoId, (id) => rootObject(repoId, id));

  /** Updates the refs on the disk from the rows, after writing any root commits that exist only as rows. */
  const writeRefs = (repoId: string) =>
    runExclusive(repoId, async (): Promise<RefsWritten> => {
      const rows = await refsWithTags(read, repoId);
      // The folder of a deleted repository keeps its refs for whoever copies it.
      if (rows.length === 0) return 'none';
      await store.writeLoose(repoId, await absentRoots(repoId));
      const refs = rows.map(({ ref, sha, tagId }) => ({ ref, sha: tagId ?? sha }));
      return (await store.writeRefs(repoId, refs)) ? 'changed' : 'unchanged';
    });

  /** Returns the objects of root commits that are not on the disk. */
  async function absentRoots(repoId: string): Promise<NamedObject[]> {
    const repository = open(repoId);
    const absent: NamedObject[] = [];
    for (const commit of await rootCommitsOf(read, repoId))
      if (!(await repository.has(commit.sha))) absent.push(...withTree(commit));
    return absent;
  }

  const refs = createRefresher(async (repoId) => {
    try {
      if (await store.exists(repoId)) await writeRefs(repoId);
    } catch (error) {
      onRefsFailed(error);
    }
  }, REFS_REST_MS);

  return {
    open,

    /** Creates the bare repository unless it exists; to be called before anything is written into it. */
    async prepare(repoId: string): Promise<void> {
      if (await store.exists(repoId)) return;
      await runExclusive(repoId, async () => {
        await store.create(repoId);
        await store.writeLoose(repoId, await absentRoots(repoId));
      });
      refs.request(repoId);
    },

    /** Creates the bare repository unless it exists, and resolves once stock git finds all objects and refs in it. */
    async prepareForGit(repoId: string): Promise<void> {
      await store.create(repoId);
      await refs.run(repoId);
    },

    /**
     * Writes the refs on the disk from the rows, before objects are deleted to which none leads, and returns the root
     * commits, which rows name whether a ref leads to them or not. Returns undefined if the repository has no refs any
     * more. Throws if the refs could not be written.
     */
    async prepareForUpkeep(repoId: string): Promise<readonly string[] | undefined> {
      if ((await writeRefs(repoId)) === 'none') return undefined;
      return (await rootCommitsOf(read, repoId)).map(({ sha }) => sha);
    },

    /** Creates the folder of a repository that has no row yet, with its future root commits. */
    async begin(repoId: string, roots: readonly RootCommit[]): Promise<void> {
      await store.create(repoId);
      await store.writeLoose(repoId, roots.flatMap(withTree));
    },

    /** Copies all objects of a repository into one that has no row yet. */
    copy: (fromId: string, toId: string): Promise<void> => store.copy(fromId, toId),

    /**
     * Schedules an update of the refs on the disk from the rows, if the repository is on the disk. Callers do not wait,
     * because the rows are authoritative; the next change or the next start of the hub repairs a failed update.
     */
    refsChanged: (repoId: string): void => {
      refs.request(repoId);
      onChanged(repoId);
    },

    /** Resolves once the refs on the disk follow the rows; to be called before the database closes. */
    settle: () => refs.settle(),

    /**
     * Repairs refs on the disk after a process ended between a transaction and its files; returns how many repositories
     * changed.
     */
    async repairRefs(isEnding: () => boolean): Promise<number> {
      let repaired = 0;
      for (let after = ''; !isEnding(); ) {
        const ids = await gitRepoIds(read, after, REPOS_PER_PAGE);
        const last = ids.at(-1);
        if (last === undefined) break;
        for (const id of ids) if ((await store.exists(id)) && (await writeRefs(id)) === 'changed') repaired++;
        after = last;
      }
      return repaired;
    },
  };
}
