import { history, type LoggedCommit } from '../../platform/git/history.ts';
import { toByteText } from '../../platform/git/objects/byte-text.ts';
import { isFolder } from '../../platform/git/objects/tree.ts';
import type { GitRepository } from '../../platform/git/repository.ts';

/** The search of a longer history stops here. */
const MAX_COMMITS = 20_000;

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

/** Maps each path to the newest commit that changed it, searching backwards from a commit. */
export async function lastCommits(
  repository: GitRepository,
  commit: string,
  paths: readonly string[],
): Promise<Map<string, LoggedCommit>> {
  const found = new Map<string, LoggedCommit>();
  const idAt = createPathLookup(repository);
  let pending = [...paths];
  let walked = 0;
  for await (const each of history(repository, [commit])) {
    if (pending.length === 0 || ++walked > MAX_COMMITS) break;
    const parents = await Promise.all(each.parents.map((id) => repository.readCommit(id)));
    if (parents.some(({ tree }) => tree === each.tree)) continue;
    const unresolved: string[] = [];
    for (const path of pending) {
      const id = await idAt(each.tree, path);
      const before = await Promise.all(parents.map(({ tree }) => idAt(tree, path)));
      if (id !== undefined && before.every((other) => other !== id)) found.set(path, each);
      else unresolved.push(path);
    }
    pending = unresolved;
  }
  return found;
}
