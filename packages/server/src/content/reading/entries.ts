import { createPause } from '../../platform/cooperative.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { isFolder, isModule } from '../../platform/git/objects/tree.ts';
import type { GitRepository } from '../../platform/git/repository.ts';
import { findEntry, type ListedUpTo, listTree, type PathEntry } from '../../platform/git/tree-walk.ts';
import type { ReadingCaller } from '../../platform/http/authenticate.ts';
import { HubError } from '../../platform/http/errors.ts';
import { encodeCursor, keyFromCursor } from '../../platform/http/pagination.ts';
import { requesterOf } from '../../platform/limits/requester.ts';
import { type RepoName, type Repository, readRepoFiles } from '../../repositories/index.ts';
import type { RepositoryObjects } from '../objects.ts';
import type { BlobFacts, ReadBlobFacts } from './blob-facts.ts';
import { entryNotFound } from './entry-not-found.ts';
import { createLastCommits } from './last-commits.ts';
import { presentEntry } from './present.ts';
import { type ResolvedPath, type Revisions, revisionNotFound } from './revisions.ts';
import { revisionPathsIn } from './url-tail.ts';
import type { XetFacts } from './xet-facts.ts';

export interface TreeQuery {
  readonly recursive?: boolean | undefined;
  readonly expand?: boolean | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

const MAX_ENTRIES = 1000;
const MAX_EXPANDED = 50;
const MAX_PATHS = 2000;
/** The number of files whose facts are read concurrently. */
const MAX_CONCURRENT = 32;
/** The number of URL parts before the revision: `api`, type, namespace, name, operation. */
const API_PARTS = 5;

interface Dependencies {
  readonly read: ReadExecutor;
  readonly objects: RepositoryObjects;
  readonly revisions: Revisions;
  readonly factsOf: ReadBlobFacts;
  readonly xet: Pick<XetFacts, 'hashesOf'>;
}

/** A repository at a revision, for a requester. */
interface OpenedRevision {
  readonly requester: string;
  readonly repo: Repository;
  readonly at: ResolvedPath;
  readonly repository: GitRepository;
}

/** The verbs that list files and folders. */
export function createEntries({ read, objects, revisions, factsOf, xet }: Dependencies) {
  const lastCommits = createLastCommits();

  async function open(caller: ReadingCaller, name: RepoName): Promise<OpenedRevision> {
    const repo = await readRepoFiles(read, caller, name);
    const at = await revisions.resolve(repo, revisionPathsIn(caller.url.slice(caller.baseUrl.length), API_PARTS));
    return { requester: requesterOf(caller), repo, at, repository: objects.open(repo.id) };
  }

  async function present(opened: OpenedRevision, entries: readonly PathEntry[], expand: boolean) {
    const { requester, repo, at, repository } = opened;
    const paths = entries.map(({ path }) => path);
    const search = { requester, repository, repoId: repo.id, commit: at.commit, paths };
    const last = expand ? await lastCommits(search) : undefined;
    const facts: (BlobFacts | undefined)[] = [];
    for (let from = 0; from < entries.length; from += MAX_CONCURRENT) {
      const reading = entries
        .slice(from, from + MAX_CONCURRENT)
        .map(async (entry) => (isFolder(entry) || isModule(entry) ? undefined : factsOf(repository, entry.id)));
      facts.push(...(await Promise.all(reading)));
    }
    const hashes = await xet.hashesOf(
      repo.id,
      facts.flatMap((each) => each?.pointer?.sha256 ?? []),
    );
    return entries.map((entry, at) => {
      const lastCommit = last?.get(entry.path);
      const xetHash = hashes.get(facts[at]?.pointer?.sha256 ?? '');
      return presentEntry(entry, facts[at], { lastCommit, xetHash });
    });
  }

  return {
    /** Returns a page of the entries of a folder. */
    async tree(caller: ReadingCaller, name: RepoName, { recursive = false, expand = false, limit, cursor }: TreeQuery) {
      const opened = await open(caller, name);
      const { at, repository } = opened;
      const { tree } = await repository.readCommit(at.commit);
      const folder = at.path === '' ? { id: tree, mode: '40000' } : await findEntry(repository, tree, at.path);
      if (!folder || !isFolder(folder)) throw entryNotFound(at);
      const size = Math.min(limit ?? MAX_ENTRIES, expand ? MAX_EXPANDED : MAX_ENTRIES);
      const after = cursor === undefined ? undefined : decodeListedUpTo(cursor);
      const prefix = at.path === '' ? '' : `${at.path}/`;
      const entries: PathEntry[] = [];
      let last: ListedUpTo | undefined;
      for await (const entry of listTree(repository, folder.id, { prefix, recursive, after })) {
        if (entries.length === size) {
          last = listedUpTo(entries.at(-1), prefix);
          break;
        }
        entries.push(entry);
      }
      const next = last && encodeCursor(`${last.folder ? 'folder' : 'file'} ${last.path}`);
      return { items: await present(opened, entries, expand), next };
    },

    /** Returns the entries at the given paths, in the order requested; missing paths are left out. */
    async pathsInfo(
      caller: ReadingCaller,
      name: RepoName,
      { paths, expand = false }: { paths: string[]; expand?: boolean | undefined },
    ) {
      if (paths.length > MAX_PATHS)
        throw new HubError(413, `too many parameters: at most ${MAX_PATHS} paths are accepted`);
      const opened = await open(caller, name);
      const { at, repository } = opened;
      if (at.path !== '') throw revisionNotFound(`${at.revision}/${at.path}`);
      const { tree } = await repository.readCommit(at.commit);
      const wanted = [...new Set(paths.map((path) => path.replace(/^\/+|\/+$/g, '')))].filter((path) => path !== '');
      const entries: PathEntry[] = [];
      const pause = createPause();
      for (const path of wanted) {
        await pause();
        const entry = await findEntry(repository, tree, path);
        if (entry) entries.push(entry);
      }
      return present(opened, entries, expand);
    },
  };
}

const listedUpTo = (entry: PathEntry | undefined, prefix: string): ListedUpTo | undefined =>
  entry && { path: entry.path.slice(prefix.length), folder: isFolder(entry) };

function decodeListedUpTo(cursor: string): ListedUpTo {
  const [, kind, path = ''] = keyFromCursor(cursor, /^(file|folder) (.+)$/s);
  return { path, folder: kind === 'folder' };
}
