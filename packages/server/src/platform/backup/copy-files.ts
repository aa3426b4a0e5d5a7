import { BlobError, type BlobName, type BlobStore } from '../blobs/blob-store.ts';
import type { Progress } from './format.ts';

/** A place for git folders. */
interface GitTarget {
  readonly folderOf: (id: string) => string;
  create(id: string): Promise<void>;
}

interface GitSource {
  exists(id: string): Promise<boolean>;
  /** Copies what is missing in another place; returns what is missing or damaged here. */
  archive(id: string, to: GitTarget): Promise<string[]>;
}

/** Where files are: in use, or in a backup. */
export interface FilePlaces<Git extends GitSource | GitTarget> {
  readonly git: Git;
  readonly blobs: BlobStore;
}

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

/** Copies the named files that are missing at the other place, each compared with its hash. */
export async function copyFiles(
  from: FilePlaces<GitSource>,
  to: FilePlaces<GitTarget>,
  named: NamedFiles,
  progress: (progress: Progress) => void,
): Promise<CopiedFiles> {
  const faulty: string[] = [];
  let gitFolders = 0;
  for (const id of named.git) {
    if (!(await from.git.exists(id))) continue;
    faulty.push(...(await from.git.archive(id, to.git)));
    progress({ table: 'git folders', rows: ++gitFolders });
  }
  let blobs = 0;
  for (const blob of named.blobs) {
    if (!(await copyBlob(from.blobs, to.blobs, blob))) faulty.push(blob.sha256);
    else progress({ table: 'large files', rows: ++blobs });
  }
  return { gitFolders, blobs, faulty };
}

/** Returns whether the blob is at the other place now. */
async function copyBlob(from: BlobStore, to: BlobStore, blob: BlobName): Promise<boolean> {
  if ((await to.head(blob.sha256))?.size === blob.size) return true;
  try {
    await to.put(blob, await from.get(blob.sha256));
    return true;
  } catch (error) {
    if (error instanceof BlobError && (error.fault === 'missing' || error.fault === 'mismatch')) return false;
    throw error;
  }
}
