import { boundedCache } from '../../platform/bounded-cache.ts';
import { createKeyedSemaphore, createSemaphore } from '../../platform/concurrency/semaphore.ts';
import { createPause } from '../../platform/cooperative.ts';
import { history, type LoggedCommit } from '../../platform/git/history.ts';
import { type ByteText, toByteText } from '../../platform/git/objects/byte-text.ts';
import { compareTrees, entryNamed, isFolder, type TreeDifference } from '../../platform/git/objects/tree.ts';
import type { GitRepository } from '../../platform/git/repository.ts';
import { tooManyRequests } from '../../platform/http/errors.ts';

/** The search of a longer history stops here. */
const MAX_COMMITS = 20_000;
/** Bounds the cache of results; each is a path with two ids. */
const MAX_CACHED = 50_000;
/** Searches that run at once, for all and for one requester; so many more wait in turn. */
const MAX_AT_ONCE = 4;
const MAX_OF_REQUESTER = 2;
const MAX_WAITING = 100;
const SECONDS_TO_WAIT = 5;
/** Stands in the cache for a path whose commit is too far back. */
const NOT_FOUND = '';

const busy = () => tooManyRequests('Many searches for last commits are waiting', SECONDS_TO_WAIT);

interface Wanted {
  readonly path: string;
  /** What is left of the path below the folder that is looked at. */
  readonly rest: ByteText;
}

const wantedOf = (path: string): Wanted => ({ path, rest: toByteText(path) });

/** Groups paths by the entry of the folder that they are at or below. */
function byEntry(wanted: readonly Wanted[]): Map<ByteText, { here: Wanted[]; below: Wanted[] }> {
  const groups = new Map<ByteText, { here: Wanted[]; below: Wanted[] }>();
  for (const { path, rest } of wanted) {
    const slash = rest.indexOf('/');
    const name = slash < 0 ? rest : rest.slice(0, slash);
    const group = groups.get(name) ?? { here: [], below: [] };
    groups.set(name, group);
    if (slash < 0) group.here.push({ path, rest });
    else group.below.push({ path, rest: rest.slice(slash + 1) });
  }
  return groups;
}

/** Returns a function that finds the entry of a folder by its name if it differs from the one in every folder before. */
async function changesOf(
  repository: GitRepository,
  { id, before }: { readonly id: string; readonly before: readonly string[] },
) {
  if (before.length === 0) {
    const entries = await repository.readTree(id);
    return (name: ByteText) => ({ entry: entryNamed(entries, name), others: [] });
  }
  const body = await repository.treeBody(id);
  const differences: TreeDifference[] = [];
  for (const each of before) differences.push(await compareTrees(body, await repository.treeBody(each)));
  return (name: ByteText) => ({
    entry: differences.every(({ ours }) => ours.has(name)) ? differences[0]?.ours.get(name) : undefined,
    others: differences.flatMap(({ theirs }) => theirs.get(name) ?? []),
  });
}

/**
 * Adds to `changed` the paths of a folder whose entry differs from the one in every folder before; folders that did not change
 * are not read.
 */
async function addChanged(
  changed: Set<string>,
  repository: GitRepository,
  folder: { readonly id: string; readonly before: readonly string[] },
  wanted: readonly Wanted[],
): Promise<void> {
  if (folder.before.includes(folder.id)) return;
  const changeOf = await changesOf(repository, folder);
  for (const [name, { here, below }] of byEntry(wanted)) {
    const { entry, others } = changeOf(name);
    if (!entry) continue;
    for (const { path } of here) changed.add(path);
    if (below.length === 0 || !isFolder(entry)) continue;
    const before = others.filter(isFolder).map(({ id }) => id);
    await addChanged(changed, repository, { id: entry.id, before }, below);
  }
}

/** Divides paths into those whose entry differs from the one in every tree before, and the others. */
async function splitByChange(
  repository: GitRepository,
  tree: string,
  treesBefore: readonly string[],
  paths: readonly string[],
): Promise<{ changed: string[]; same: string[] }> {
  const changed = new Set<string>();
  await addChanged(changed, repository, { id: tree, before: treesBefore }, paths.map(wantedOf));
  return { changed: [...changed], same: paths.filter((path) => !changed.has(path)) };
}

/** Maps each path to the newest commit that changed it, searching backwards from a commit. */
export async function searchLastCommits(
  repository: GitRepository,
  commit: string,
  paths: readonly string[],
): Promise<Map<string, LoggedCommit>> {
  const found = new Map<string, LoggedCommit>();
  const pause = createPause();
  let pending = [...paths];
  let walked = 0;
  for await (const each of history(repository, [commit])) {
    if (pending.length === 0 || ++walked > MAX_COMMITS) break;
    await pause();
    const treesBefore = await Promise.all(each.parents.map(async (id) => (await repository.readCommit(id)).tree));
    if (treesBefore.includes(each.tree)) continue;
    const { changed, same } = await splitByChange(repository, each.tree, treesBefore, pending);
    for (const path of changed) found.set(path, each);
    pending = same;
  }
  return found;
}

export type LastCommits = ReturnType<typeof createLastCommits>;

/** A search for the last commits of paths; `repoId` names the repository. */
export interface Search {
  readonly repository: GitRepository;
  readonly repoId: string;
  readonly commit: string;
  readonly paths: readonly string[];
}

/**
 * Creates a function that returns the same as `searchLastCommits`, and keeps the results: after further commits on the
 * branch it searches these commits only. Few searches run at once, and identical ones once. Throws 429 if too many wait.
 */
export function createLastCommits() {
  const cache = boundedCache<string, string>(MAX_CACHED);
  const searches = new Map<string, Promise<Map<string, string>>>();
  const ofRequester = createKeyedSemaphore({ atOnce: MAX_OF_REQUESTER, maxWaiting: MAX_WAITING, refuse: busy });
  const inTurn = createSemaphore({ atOnce: MAX_AT_ONCE, maxWaiting: MAX_WAITING, refuse: busy });

  /**
   * Follows single parents until every path is found. Returns the paths that are left and the merge that they have to
   * be searched from; the first commit of the history has no such paths.
   */
  async function follow(
    repository: GitRepository,
    repoId: string,
    start: { readonly commit: string; readonly paths: readonly string[]; readonly found: Map<string, string> },
  ): Promise<{ merge: string; paths: string[] } | undefined> {
    const pause = createPause();
    let paths = [...start.paths];
    let id = start.commit;
    for (let walked = 0; walked < MAX_COMMITS; walked++) {
      await pause();
      const unknown: string[] = [];
      for (const path of paths) {
        const known = cache.get(`${repoId} ${id} ${path}`);
        if (known === undefined) unknown.push(path);
        else if (known !== NOT_FOUND) start.found.set(path, known);
      }
      paths = unknown;
      if (paths.length === 0) return undefined;
      const { tree, parents } = await repository.readCommit(id);
      const [parent, ...others] = parents;
      if (others.length > 0) return { merge: id, paths };
      const treesBefore = parent === undefined ? [] : [(await repository.readCommit(parent)).tree];
      if (!treesBefore.includes(tree)) {
        const { changed, same } = await splitByChange(repository, tree, treesBefore, paths);
        for (const path of changed) start.found.set(path, id);
        paths = same;
      }
      if (parent === undefined) return undefined;
      id = parent;
    }
    return undefined;
  }

  async function searchAll({ repository, repoId, commit, paths }: Search): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    const left = await follow(repository, repoId, { commit, paths, found });
    if (left)
      for (const [path, { id }] of await searchLastCommits(repository, left.merge, left.paths)) found.set(path, id);
    for (const path of paths) cache.set(`${repoId} ${commit} ${path}`, found.get(path) ?? NOT_FOUND);
    return found;
  }

  /** Returns what is known without a search, if that is all. */
  function knownCommits({ repoId, commit, paths }: Search): Map<string, string> | undefined {
    const known = new Map<string, string>();
    for (const path of paths) {
      const id = cache.get(`${repoId} ${commit} ${path}`);
      if (id === undefined) return undefined;
      known.set(path, id);
    }
    return known;
  }

  /** Searches, or waits for the same search of somebody else. */
  function joined(search: Search): Promise<Map<string, string>> {
    const key = [search.repoId, search.commit, ...search.paths].join('\0');
    const running = searches.get(key) ?? inTurn(() => searchAll(search)).finally(() => searches.delete(key));
    searches.set(key, running);
    return running;
  }

  return async ({
    requester,
    ...search
  }: Search & { readonly requester: string }): Promise<Map<string, LoggedCommit>> => {
    const found = knownCommits(search) ?? (await ofRequester(requester, () => joined(search)));
    const commits = new Map<string, LoggedCommit>();
    for (const path of search.paths) {
      const id = found.get(path) ?? NOT_FOUND;
      if (id !== NOT_FOUND) commits.set(path, { ...(await search.repository.readCommit(id)), id });
    }
    return commits;
  };
}
