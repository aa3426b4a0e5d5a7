import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DurableFiles, makeFolder, syncFolder } from '../durable-folders.ts';
import { isAbsent, writeFileAtOnce } from './durable-files.ts';

/**
 * The configuration for git clients of a bare repository: the hub repacks by itself, and partial clones are allowed.
 */
const CONFIG = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
\tlogAllRefUpdates = false
[gc]
\tauto = 0
[receive]
\tfsckObjects = true
[uploadpack]
\tallowFilter = true
\tallowReachableSHA1InWant = true
`;

export interface Ref {
  readonly ref: string;
  readonly sha: string;
}

/** Returns whether a folder is a bare repository. */
export const isBare = (path: string): Promise<boolean> =>
  access(join(path, 'HEAD')).then(
    () => true,
    () => false,
  );

/** Creates a bare repository unless it exists. */
export async function createBare(path: string, files: DurableFiles): Promise<void> {
  if (await isBare(path)) return;
  await makeFolder(join(path, 'objects', 'pack'), files);
  await makeFolder(join(path, 'refs', 'heads'), files);
  await writeFileAtOnce(join(path, 'config'), (handle) => handle.writeFile(CONFIG), files);
  // Git takes a folder with this file for a repository, so the file is written last.
  await writeFileAtOnce(join(path, 'HEAD'), (handle) => handle.writeFile('ref: refs/heads/main\n'), files);
  await syncFolder(path, files);
}

/** Writes all refs of a bare repository into `packed-refs` for git; returns whether they changed. */
export async function writePackedRefs(folder: string, refs: readonly Ref[]): Promise<boolean> {
  const path = join(folder, 'packed-refs');
  const lines = refs.map(({ ref, sha }) => `${sha} ${ref}\n`);
  const text = `# pack-refs with: sorted\n${lines.sort(byRef).join('')}`;
  const before = await readFile(path, 'utf8').catch((error: unknown) => {
    if (isAbsent(error)) return undefined;
    throw error;
  });
  if (before === text) return false;
  await writeFileAtOnce(path, (handle) => handle.writeFile(text), { durable: false });
  return true;
}

const REF_OFFSET = 41;

const byRef = (a: string, b: string): number => {
  const [left, right] = [Buffer.from(a.slice(REF_OFFSET)), Buffer.from(b.slice(REF_OFFSET))];
  return left.compare(right);
};
