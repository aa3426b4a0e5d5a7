import { commitAt, type FileRepo, fileIn, listFiles } from '@moonbase/client/files';
import type { Hub } from '@moonbase/client/request';
import { FailedError } from '../program/failure.ts';
import type { PathFilter } from './globs.ts';
import { pathFault } from './local-path.ts';
import type { Download } from './save.ts';

/** The id of a git blob, or a SHA-256. */
const FILE_ID = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

/** Returns the commit of a revision, and those of its files that match the filter. */
export async function filesAt(
  hub: Hub,
  at: FileRepo & { readonly revision: string | undefined },
  { named, isWanted }: { readonly named: readonly string[]; readonly isWanted: PathFilter },
): Promise<{ readonly commit: string; readonly files: readonly Download[] }> {
  const commit = await commitAt({ ...hub, ...at });
  const files = new Map<string, Download>();
  const wanted = named.map((path) => path.replace(/^\/+|\/+$/g, ''));
  const missing = new Set(wanted);
  for await (const entry of listFiles({ ...hub, ...at, revision: commit, recursive: true })) {
    const { type, path } = entry;
    const name = wanted.find((each) => path === each || path.startsWith(`${each}/`));
    if (name !== undefined) missing.delete(name);
    if (type !== 'file' || (wanted.length > 0 && name === undefined) || !isWanted(path)) continue;
    const fault = pathFault(path);
    // The name may be printed to a terminal, so it must be printable.
    if (fault)
      throw new FailedError(`The repository has a file that cannot be saved: ${JSON.stringify(path)} ${fault}.`);
    const file = { path, ...fileIn(entry) };
    if (!FILE_ID.test(file.id) || !(Number.isSafeInteger(file.size) && file.size >= 0))
      throw new FailedError(`The hub does not say which bytes ${path} has.`);
    files.set(path, file);
  }
  const [absent] = missing;
  if (absent !== undefined) throw new FailedError(`${at.repo} has no file or folder ${absent}.`, 'not-found');
  return { commit, files: [...files.values()] };
}
