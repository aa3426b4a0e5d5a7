import { timestamp } from '../platform/clock.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import type { ReadingCaller } from '../platform/http/authenticate.ts';
import { badRequest, HubError } from '../platform/http/errors.ts';
import { encodeCursor, keyFromCursor, type PageOf, pageFrom } from '../platform/http/pagination.ts';
import { type RepoName, readRepoFiles } from '../repositories/index.ts';
import { isText } from './paths.ts';
import { presentFile } from './present.ts';
import { filesAt } from './store.ts';
import type { BucketFileRow } from './tables.ts';
import {
  type Direction,
  type FolderEntry,
  type FolderPlace,
  listFiles,
  listFolder,
  listUploads,
} from './tree-store.ts';

const MAX_PATHS = 2000;

interface Page {
  readonly prefix: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

interface TreeQuery extends Page {
  readonly recursive?: boolean | undefined;
  readonly sort: 'path' | 'uploadedAt';
  readonly direction?: Direction | undefined;
}

type TreeEntry = ReturnType<typeof presentFile> | { type: 'directory'; path: string; uploadedAt: string };

const FILE_CURSOR = /^file ([^\p{Cc}]+)$/u;
const UPLOAD_CURSOR = /^upload (\d{1,15}) ([^\p{Cc}]+)$/u;
const ENTRY_CURSOR = /^(file|folder) ([^\p{Cc}]+)$/u;

/** The verbs that list the files of a bucket. */
export function createBucketReading({ read }: { readonly read: ReadExecutor }) {
  async function filesPage(
    bucketId: string,
    { prefix, limit, cursor }: Page,
    direction: Direction,
  ): Promise<PageOf<TreeEntry>> {
    const after = cursor === undefined ? undefined : keyFromCursor(cursor, FILE_CURSOR)[1];
    const rows = await listFiles(read, bucketId, { prefix, after, direction, limit: limit + 1 });
    return presentPage(pageFrom(rows, limit, ({ path }) => `file ${path}`));
  }

  async function uploadsPage(
    bucketId: string,
    { limit, cursor }: Page,
    direction: Direction,
  ): Promise<PageOf<TreeEntry>> {
    const [, time, path = ''] = cursor === undefined ? [] : keyFromCursor(cursor, UPLOAD_CURSOR);
    const after = time === undefined ? undefined : { uploadedAt: Number(time), path };
    const rows = await listUploads(read, bucketId, { after, direction, limit: limit + 1 });
    return presentPage(pageFrom(rows, limit, ({ uploaded_at, path }) => `upload ${uploaded_at} ${path}`));
  }

  async function present(bucketId: string, entries: readonly FolderEntry[]): Promise<TreeEntry[]> {
    const paths = entries.flatMap(({ path, isFolder }) => (isFolder ? [] : [path]));
    const files = new Map((await filesAt(read, bucketId, paths)).map((row) => [row.path, presentFile(row)]));
    return entries.flatMap(({ path, isFolder, uploadedAt }): TreeEntry | readonly TreeEntry[] =>
      isFolder ? [{ type: 'directory', path, uploadedAt: timestamp(uploadedAt) }] : (files.get(path) ?? []),
    );
  }

  async function folderPage(bucketId: string, { prefix: name, limit, cursor }: Page): Promise<PageOf<TreeEntry>> {
    const prefix = name === '' || name.endsWith('/') ? name : `${name}/`;
    const after = cursor === undefined ? undefined : entryFromCursor(cursor, prefix);
    // A file of the name of the folder comes before what is in the folder.
    const self = prefix === name || after ? [] : (await filesAt(read, bucketId, [name])).map(presentFile);
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
      { recursive = true, sort, direction, ...page }: TreeQuery,
    ): Promise<PageOf<TreeEntry>> {
      const { id } = await readRepoFiles(read, caller, name);
      if (sort === 'uploadedAt') {
        if (!recursive || page.prefix !== '')
          throw badRequest('`sort=uploadedAt` lists all files of a bucket, without a prefix and `recursive=false`');
        return uploadsPage(id, page, direction ?? 'desc');
      }
      if (!recursive && direction === 'desc')
        throw badRequest('Folders are listed in ascending order only; leave out `direction` or `recursive=false`');
      if (!isText(page.prefix)) throw badRequest('A prefix must not contain control characters or broken Unicode');
      return recursive ? filesPage(id, page, direction ?? 'asc') : folderPage(id, page);
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

const presentPage = ({ items, next }: PageOf<BucketFileRow>): PageOf<TreeEntry> => ({
  items: items.map(presentFile),
  next,
});

function entryFromCursor(cursor: string, prefix: string): FolderPlace {
  const [, kind, path = ''] = keyFromCursor(cursor, ENTRY_CURSOR);
  if (!path.startsWith(prefix)) throw badRequest('`cursor` is for another folder; begin without it');
  return { path, isFolder: kind === 'folder' };
}
