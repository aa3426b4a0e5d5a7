import { boundedCache } from '../../platform/bounded-cache.ts';
import { createPause } from '../../platform/cooperative.ts';
import { history, type LoggedCommit } from '../../platform/git/history.ts';
import { toByteText } from '../../platform/git/objects/byte-text.ts';
import { isFolder } from '../../platform/git/objects/tree.ts';
import type { GitRepository } from '../../platform/git/repository.ts';

/** The search of a longer history stops here. */
const MAX_COMMITS = 20_000;
/** Bounds the cache of results; each is a path with two ids. */
const MAX_CACHED = 50_000;

/** Returns a function that finds the id at a path of a tree, with recently read trees cached. */
function createPathLookup(repository: GitRepository) {
  const trees = new Map<string, Promise<ReadonlyMap<string, { id: string; mode: string }>>>();
  const entriesOf = (id: string) => {
    const known = trees.get(id);
    if (known) return known;
    if (trees.size > 64) trees.clear();
    const read = repository.readTree(id).then((entries) => new Map(entries.map((entry) => [entry.name, entry])));
    trees.set(id, read);
    return read;
  };
  return async (treeId: string, path: string): Promise<string | undefined> => {
    let id = treeId;
    for (const [at, part] of path.split('/').map(toByteText).entries()) {
      const entry = (await entriesOf(id)).get(part);
      if (!entry || (at < path.split('/').length - 1 && !isFolder(entry))) return undefined;
      id = entry.id;
    }
    return id;
  };
}

/** Divides paths into those whose entry differs from the one in every tree before, and the others. */
async function splitByChange(
  idAt: ReturnType<typeof createPathLookup>,
  tree: string,
  treesBefore: readonly string[],
  paths: readonly string[],
): Promise<{ changed: string[]; same: string[] }> {
  const changed: string[] = [];
  const same: string[] = [];
  for (const path of paths) {
    const id = await idAt(tree, path);
    const before = await Promise.all(treesBefore.map((each) => idAt(each, path)));
    (id !== undefined && before.every((other) => other !== id) ? changed : same).push(path);
  }
  return { changed, same };
}

/** Maps each path to the newest commit that changed it, searching backwards from a commit. */
export async function searchLastCommits(
  repository: GitRepository,
  commit: string,
  paths: readonly string[],
): Promise<Map<string, LoggedCommit>> {
  const found = new Map<string, LoggedCommit>();
  const idAt = createPathLookup(repository);
  const pause = createPause();
  let pending = [...paths];
  let walked = 0;
  for await (const each of history(repository, [commit])) {
    if (pending.length === 0 || ++walked > MAX_COMMITS) break;
    await pause();
    const treesBefore = await Promise.all(each.parents.map(async (id) => (await repository.readCommit(id)).tree));
    if (treesBefore.includes(each.tree)) continue;
    const { changed, same } = await splitByChange(idAt, each.tree, treesBefore, pending);
    for (const path of changed) found.set(path, each);
    pending = same;
  }
  return found;
}

export type LastCommits = ReturnType<typeof createLastCommits>;

/**
 * Creates a function that returns the same as `searchLastCommits`, and keeps the results: after further commits on the
 * branch it searches these commits only. `repoId` names the repository.
 */
export function createLastCommits() {
  const cache = boundedCache<string, string>(MAX_CACHED);

  /**
   * Follows single parents until every path is found. Returns the paths that are left and the merge that they have to
   * be searched from; the first commit of the history has no such paths.
   */
  async function follow(
    repository: GitRepository,
    repoId: string,
    start: { readonly commit: string; readonly paths: readonly string[]; readonly found: Map<string, string> },
  ): Promise<{ merge: string; paths: string[] } | undefined> {
    const idAt = createPathLookup(repository);
    const pause = createPause();
    let paths = [...start.paths];
    let id = start.commit;
    for (let walked = 0; walked < MAX_COMMITS; walked++) {
      await pause();
      const unknown: string[] = [];
      for (const path of paths) {
        const known = cache.get(`${repoId} ${id} ${path}`);
        if (known === undefined) unknown.push(path);
        else start.found.set(path, known);
      }
      paths = unknown;
      if (paths.length === 0) return undefined;
      const { tree, parents } = await repository.readCommit(id);
      const [parent, ...others] = parents;
      if (others.length > 0) return { merge: id, paths };
      const treesBefore = parent === undefined ? [] : [(await repository.readCommit(parent)).tree];
      if (!treesBefore.includes(tree)) {
        const { changed, same } = await splitByChange(idAt, tree, treesBefore, paths);
        for (const path of changed) start.found.set(path, id);
        paths = same;
      }
      if (parent === undefined) return undefined;
      id = parent;
    }
    return undefined;
  }

  return async (
    repository: GitRepository,
    repoId: string,
    commit: string,
    paths: readonly string[],
  ): Promise<Map<string, LoggedCommit>> => {
    const found = new Map<string, string>();
    const left = await follow(repository, repoId, { commit, paths, found });
    if (left)
      for (const [path, { id }] of await searchLastCommits(repository, left.merge, left.paths)) found.set(path, id);
    const commits = new Map<string, LoggedCommit>();
    for (const [path, id] of found) {
      cache.set(`${repoId} ${commit} ${path}`, id);
      commits.set(path, { ...(await repository.readCommit(id)), id });
    }
    return commits;
  };
}
