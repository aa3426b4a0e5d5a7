import { requireRepo } from '../access/index.ts';
import type { AuditLog } from '../audit-log/index.ts';
import type { DropLargeFiles, LargeFiles } from '../content/index.ts';
import type { Database, Executor, ReadExecutor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { notFound } from '../platform/http/errors.ts';
import {
  fullName,
  type RepoName,
  type Repository,
  readRepo,
  readRepoFiles,
  recordForRepo,
  repoFacts,
  requireFiles,
} from '../repositories/index.ts';

interface Dependencies {
  readonly database: Database;
  readonly largeFiles: Pick<LargeFiles, 'copySome' | 'find' | 'list' | 'delete' | 'claimRoom'>;
  readonly dropLargeFiles: DropLargeFiles;
  readonly audit: AuditLog;
  /** Returns the files that a bucket has at its paths, of some Xet hashes. */
  readonly filesOfBucket: FilesOfBucket;
}

export type FilesOfBucket = (
  executor: ReadExecutor,
  bucketId: string,
  xetHashes: readonly string[],
) => Promise<ReadonlyMap<string, { readonly sha256: string }>>;

interface FileToCopy {
  readonly sha256: string;
  readonly xetHash?: string | undefined;
}

/** The verbs on the large files that a repository has. */
export function createFiles({ database, largeFiles, dropLargeFiles, audit, filesOfBucket }: Dependencies) {
  const { read } = database;

  /** Deletes files from a repository and, with `rewriteHistory`, from its commits as well. */
  async function deleteFiles(
    caller: Caller,
    name: RepoName,
    sha256s: readonly string[],
    { rewriteHistory, mustExist }: { readonly rewriteHistory: boolean; readonly mustExist: boolean },
  ): Promise<void> {
    const deleteGrants = async (tx: Executor, repo: Repository) => {
      const deleted = await largeFiles.delete(tx, repo.id, sha256s);
      if (mustExist && deleted.length === 0) throw notFound('The repository has no such file');
      if (deleted.length > 0) await recordDeletion(tx, caller, repo, deleted);
    };
    if (rewriteHistory) await dropLargeFiles(caller, name, sha256s, deleteGrants);
    else await database.transaction(async (tx) => deleteGrants(tx, await readRepo(tx, caller, name, 'repo.write')));
  }

  async function recordDeletion(tx: Executor, caller: Caller, repo: Repository, sha256s: readonly string[]) {
    const [sha256, ...others] = sha256s;
    const which = others.length === 0 ? 'a large file' : `${sha256s.length} large files`;
    await recordForRepo(audit, tx, caller, repo, {
      type: 'repo.delete_lfs_file',
      message: `Deleted ${which} of the ${repo.type} ${fullName(repo)}`,
      data: others.length === 0 ? { sha256 } : { sha256s },
    });
  }

  /** Returns what may be copied of some files: of a bucket those at its paths, not all that it was sent. */
  async function copyable(tx: Executor, { type, id }: Repository, files: readonly FileToCopy[]): Promise<string[]> {
    if (type !== 'bucket') return [...new Set(files.map(({ sha256 }) => sha256))];
    const hashes = [...new Set(files.flatMap(({ xetHash }) => xetHash ?? []))];
    const atPaths = await filesOfBucket(tx, id, hashes);
    const asked = files.filter(({ sha256, xetHash = '' }) => atPaths.get(xetHash)?.sha256 === sha256);
    return [...new Set(asked.map(({ sha256 }) => sha256))];
  }

  return {
    async list(caller: Caller, name: RepoName, page: { cursor?: string | undefined; limit: number }) {
      const repo = await readRepoFiles(read, caller, name);
      return largeFiles.list(read, repo.id, page);
    },

    /** Throws 404 if the repository does not have the file. */
    delete: (caller: Caller, name: RepoName, sha256: string, rewriteHistory: boolean): Promise<void> =>
      deleteFiles(caller, name, [sha256], { rewriteHistory, mustExist: true }),

    /** Ignores files that the repository does not have. */
    deleteAll: (caller: Caller, name: RepoName, sha256s: readonly string[], rewriteHistory: boolean): Promise<void> =>
      deleteFiles(caller, name, [...new Set(sha256s)], { rewriteHistory, mustExist: false }),

    /** Copies files from one repository to another; reports files that the source does not have. */
    async duplicate(caller: Caller, from: RepoName, to: RepoName, files: readonly FileToCopy[]) {
      const source = await readRepoFiles(read, caller, from);
      const target = await readRepo(read, caller, to, 'repo.write');
      const copied = await database.transaction(async (tx) => {
        await requireRepo(tx, caller.principal, repoFacts(source), 'repo.content.read');
        await requireFiles(tx, caller, source);
        await requireRepo(tx, caller.principal, repoFacts(target), 'repo.write');
        const known = await largeFiles.find(tx, source.id, await copyable(tx, source, files));
        await largeFiles.claimRoom(tx, target, async () => {
          const there = await largeFiles.find(tx, target.id, [...known.keys()]);
          return [...known].filter(([sha256]) => !there.has(sha256)).reduce((sum, [, { size }]) => sum + size, 0);
        });
        const to = { repo: target, userId: caller.principal.userId };
        await largeFiles.copySome(tx, source.id, [...known.keys()], to);
        return largeFiles.find(tx, target.id, [...known.keys()]);
      });
      const failed = files
        .filter(({ sha256 }) => !copied.has(sha256))
        .map(({ sha256, xetHash }) => ({
          ...(xetHash !== undefined && { xetHash }),
          ...{ sha256, error: 'The repository has no such file' },
        }));
      const succeeded = files.length - failed.length;
      return { success: failed.length === 0, processed: files.length, succeeded, failed };
    },
  };
}
