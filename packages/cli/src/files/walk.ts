import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FailedError, reasonOf } from '../program/failure.ts';
import { PART_FILE } from './save.ts';

/** A file below a folder. */
export interface LocalFile {
  /** The path below the folder, with slashes. */
  readonly path: string;
  readonly file: string;
}

/** The cache that Hugging Face clients keep in a download folder. */
const CLIENT_CACHE = /(^|\/)\.cache\/huggingface$/;

/**
 * Returns the files below a folder, ordered by path, without `.git` and without partial downloads. Links to files count
 * as files; links to folders are not followed.
 */
export async function filesBelow(folder: string): Promise<LocalFile[]> {
  const files: LocalFile[] = [];
  async function visit(inside: string, prefix: string): Promise<void> {
    for (const entry of await readdir(inside, { withFileTypes: true })) {
      const [path, file] = [prefix + entry.name, join(inside, entry.name)];
      if (entry.isDirectory()) {
        if (entry.name !== '.git' && !CLIENT_CACHE.test(path)) await visit(file, `${path}/`);
      } else if (entry.isFile() || (entry.isSymbolicLink() && (await stat(file)).isFile())) {
        if (!PART_FILE.test(entry.name)) files.push({ path, file });
      }
    }
  }
  await visit(folder, '').catch((error: unknown) => {
    throw new FailedError(`Cannot read ${folder}: ${reasonOf(error)}`);
  });
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}
