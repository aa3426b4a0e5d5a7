import { addAbortSignal } from 'node:stream';
import { BlobError, type BlobName, type BlobStore } from '../blobs/blob-store.ts';
import type { OnProgress } from './format.ts';

/** A place for git folders. */
interface GitTarget {
  readonly folderOf: (id: string) => string;
  create(id: string): Promise<void>;
  /** Called for a git folder that is missing at the source. */
  keep?(id: string): Promise<void>;
}

interface GitSource {
  exists(id: string): Promise<boolean>;
  /** Copies what is missing in another place; returns what is missing or damaged here. */
  archive(id: string, to: GitTarget): Promise<string[]>;
}

/** Where files are: in use, or in a backup. */
export interface FilePlaces<Git extends GitSource | GitTarget, Blobs = BlobStore> {
  readonly git: Git;
  readonly blobs: Blobs;
}

/** A place that takes blobs. */
type BlobTarget = Pick<BlobStore, 'head' | 'put'>;

/** What a backup of the database names. */
export interface NamedFiles {
  /** Ids of bare git folders, of which some may not be there. */
  readonly git: readonly string[];
  readonly blobs: readonly BlobName[];
}

export interface CopiedFiles {
  readonly gitFolders: number;
  readonly blobs: number;
  /** Files that are missing or differ from their hash, and were not copied. */
  readonly faulty: readonly string[];
}

/** Copies the named files that are missing at the other place, each compared with its hash. The signal ends it. */
export async function copyFiles(
  from: FilePlaces<GitSource>,
  to: FilePlaces<GitTarget, BlobTarget>,
  named: NamedFiles,
  { progress, signal }: { readonly progress: OnProgress; readonly signal?: AbortSignal | undefined },
): Promise<CopiedFiles> {
  const faulty: string[] = [];
  let gitFolders = 0;
  for (const id of named.git) {
    if (!(await from.git.exists(id))) {
      await to.git.keep?.(id);
      continue;
    }
    faulty.push(...(await from.git.archive(id, to.git)));
    await progress({ table: 'git folders', rows: ++gitFolders });
  }
  let blobs = 0;
  for (const blob of named.blobs) {
    if (!(await copyBlob(from.blobs, to.blobs, blob, signal))) faulty.push(blob.sha256);
    else await progress({ table: 'large files', rows: ++blobs });
  }
  return { gitFolders, blobs, faulty };
}

/** Returns whether the blob is at the other place now. */
async function copyBlob(
  from: BlobStore,
  to: BlobTarget,
  blob: BlobName,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if ((await to.head(blob.sha256))?.size === blob.size) return true;
  try {
    const bytes = await from.get(blob.sha256);
    await to.put(blob, signal ? addAbortSignal(signal, bytes) : bytes);
    return true;
  } catch (error) {
    if (error instanceof BlobError && (error.fault === 'missing' || error.fault === 'mismatch')) return false;
    throw error;
  }
}
