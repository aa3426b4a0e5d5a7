import type { ReadExecutor } from '../platform/database/transaction.ts';
import type { ReadingCaller } from '../platform/http/authenticate.ts';
import { badRequest, HubError } from '../platform/http/errors.ts';
import { encodeCursor, keyFromCursor, type PageOf } from '../platform/http/pagination.ts';
import { type RepoName, readRepoFiles } from '../repositories/index.ts';
import { isText } from './paths.ts';
import { presentFile } from './present.ts';
import { filesAt } from './store.ts';
import { type FolderEntry, listFiles, listFolder } from './tree-store.ts';

const MAX_PATHS = 2000;

interface TreeQuery {
  readonly prefix: string;
  readonly recursive?: boolean | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

type TreeEntry = ReturnType<typeof presentFile> | { type: 'directory'; path: string };

type Page = Pick<TreeQuery, 'prefix' | 'limit' | 'cursor'>;

const FILE_CURSOR = /^file ([^\p{Cc}]+)$/u;
const ENTRY_CURSOR = /^(file|folder) ([^\p{Cc}]+)$/u;

/** The verbs that list the files of a bucket. */
export function createBucketReading({ read }: { readonly read: ReadExecutor }) {
  async function filesPage(bucketId: string, { prefix, limit, cursor }: Page): Promise<PageOf<TreeEntry>> {
    const after = cursor === undefined ? undefined : keyFromCursor(cursor, FILE_CURSOR)[1];
    const rows = await listFiles(read, bucketId, { prefix, after, limit: limit + 1 });
    const items = rows.slice(0, limit);
    const last = rows.length > limit ? items.at(-1) : undefined;
    return { items: items.map(presentFile), next: last && encodeCursor(`file ${last.path}`) };
  }

  async function present(bucketId: string, entries: readonly FolderEntry[]): Promise<TreeEntry[]> {
    const paths = entries.flatMap(({ path, isFolder }) => (isFolder ? [] : [path]));
    const files = new Map((await filesAt(read, bucketId, paths)).map((row) => [row.path, presentFile(row)]));
    return entries.flatMap(({ path, isFolder }): TreeEntry | readonly TreeEntry[] =>
      isFolder ? [{ type: 'directory', path }] : (files.get(path) ?? []),
    );
  }

  async function folderPage(bucketId: string, { prefix: name, limit, cursor }: Page): Promise<PageOf<TreeEntry>> {
    const prefix = name === '' || name.endsWith('/') ? name : `${name}/`;
    const after = cursor === undefined ? undefined : entryFromCursor(cursor, prefix);
    // A file of the name of the folder comes before what is in the folder.
    const self = prefix === name || after ? [] : await present(bucketId, [{ path: name, isFolder: false }]);
    const entries = await listFolder(read, bucketId, { prefix, after, limit: limit + 1 });
    const shown = entries.slice(0, limit);
    const last = entries.length > limit ? shown.at(-1) : undefined;
    return {
      items: [...self, ...(await present(bucketId, shown))],
      next: last && encodeCursor(`${last.isFolder ? 'folder' : 'file'} ${last.path}`),
    };
  }

  return {
    /** Returns a page of the files whose paths begin with a text, or of the entries of a folder. */
    async tree(
      caller: ReadingCaller,
      name: RepoName,
      { recursive = true, ...page }: TreeQuery,
    ): Promise<PageOf<TreeEntry>> {
      const { id } = await readRepoFiles(read, caller, name);
      if (!isText(page.prefix)) throw badRequest('A prefix must not contain control characters or broken Unicode');
      return recursive ? filesPage(id, page) : folderPage(id, page);
    },

    /** Returns the files at some paths, in the order requested; missing paths are left out. */
    async pathsInfo(caller: ReadingCaller, name: RepoName, paths: readonly string[]) {
      if (paths.length > MAX_PATHS)
        throw new HubError(413, `too many parameters: at most ${MAX_PATHS} paths are accepted`);
      const { id } = await readRepoFiles(read, caller, name);
      const wanted = [...new Set(paths)].filter((path) => isText(path));
      const files = new Map((await filesAt(read, id, wanted)).map((row) => [row.path, row]));
      return wanted.flatMap((path) => {
        const row = files.get(path);
        return row ? [presentFile(row)] : [];
      });
    },
  };
}

function entryFromCursor(cursor: string, prefix: string): FolderEntry {
  const [, kind, path = ''] = keyFromCursor(cursor, ENTRY_CURSOR);
  if (!path.startsWith(prefix)) throw badRequest('`cursor` is for another folder; begin without it');
  return { path, isFolder: kind === 'folder' };
}
