import type { LargeFiles } from '../content/index.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { badRequest, HubError } from '../platform/http/errors.ts';
import { type RepoName, type Repository, readRepoFiles } from '../repositories/index.ts';
import { filesOfBucket, filesOfRepo } from './bytes-store.ts';
import type { BatchLine, CopyLine } from './lines.ts';
import type { FileBytes } from './store.ts';

/** The number of repositories from which one part of a batch can copy. */
const MAX_SOURCES = 100;

/** What a caller may copy from a repository. */
interface Source {
  readonly repo: Repository;
  /** Files by their Xet hash. */
  readonly files: ReadonlyMap<string, FileBytes>;
}

export type Sources = ReadonlyMap<string, Source>;

const keyOf = ({ sourceRepoType, sourceRepoId }: CopyLine): string => `${sourceRepoType} ${sourceRepoId}`;

export const isCopy = (line: BatchLine): line is CopyLine => line.type === 'copyFile';

/** Returns what a line copies, if the caller can read it. */
export const copiedBy = (sources: Sources, line: CopyLine): FileBytes | undefined =>
  sources.get(keyOf(line))?.files.get(line.xetHash);

function nameOf({ sourceRepoType, sourceRepoId }: CopyLine): RepoName | undefined {
  const [namespace, name, rest] = sourceRepoId.split('/');
  return namespace && name && rest === undefined ? { type: sourceRepoType, namespace, name } : undefined;
}

async function readSource(tx: Executor, caller: Caller, line: CopyLine): Promise<Repository | undefined> {
  const name = nameOf(line);
  try {
    return name && (await readRepoFiles(tx, caller, name));
  } catch (error) {
    // The lines that need it fail alike, whether it is hidden or does not exist.
    if (error instanceof HubError && error.status < 500) return undefined;
    throw error;
  }
}

/** Finds the files that some lines copy, in the repositories that the caller can read. */
export async function findSources(tx: Executor, caller: Caller, lines: readonly CopyLine[]): Promise<Sources> {
  const groups = new Map<string, CopyLine[]>();
  for (const line of lines) {
    const group = groups.get(keyOf(line));
    if (group) group.push(line);
    else groups.set(keyOf(line), [line]);
  }
  if (groups.size > MAX_SOURCES)
    throw badRequest(`The lines copy from ${groups.size} repositories; ${MAX_SOURCES} are possible`);
  const sources = new Map<string, Source>();
  for (const [key, group] of groups) {
    const [first] = group;
    const repo = first && (await readSource(tx, caller, first));
    if (!repo) continue;
    const find = repo.type === 'bucket' ? filesOfBucket : filesOfRepo;
    const hashes = group.map(({ xetHash }) => xetHash);
    sources.set(key, { repo, files: await find(tx, repo.id, hashes) });
  }
  return sources;
}

/**
 * Gives a bucket the blobs of the files that lines copy, within the quota of its owner. Throws 413 if there is no room.
 */
export async function takeFrom(
  tx: Executor,
  largeFiles: Pick<LargeFiles, 'claimRoom' | 'copySome' | 'find'>,
  { sources, bucket, userId }: { readonly sources: Sources; readonly bucket: Repository; readonly userId: string },
): Promise<void> {
  const sizes = new Map<string, number>();
  for (const { files } of sources.values()) for (const { sha256, size } of files.values()) sizes.set(sha256, size);
  if (sizes.size === 0) return;
  await largeFiles.claimRoom(tx, bucket, async () => {
    const known = await largeFiles.find(tx, bucket.id, [...sizes.keys()]);
    return [...sizes].reduce((sum, [sha256, size]) => (known.has(sha256) ? sum : sum + size), 0);
  });
  for (const { repo, files } of sources.values()) {
    const sha256s = [...files.values()].map(({ sha256 }) => sha256);
    await largeFiles.copySome(tx, repo.id, sha256s, { repo: bucket, userId });
  }
}
