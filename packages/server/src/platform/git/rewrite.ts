import { tooLarge } from './fault.ts';
import type { ObjectWriter } from './object-writer.ts';
import { parseCommit } from './objects/commit.ts';
import { replaceIds } from './objects/replace-ids.ts';
import { encodeTree, isFolder, isModule, MODES, type TreeEntry } from './objects/tree.ts';
import type { GitRepository } from './repository.ts';

/** Bounds the commits whose new ids are held in memory. */
const MAX_COMMITS = 200_000;

interface RewriteInput {
  readonly repository: GitRepository;
  readonly writer: ObjectWriter;
  /** Returns whether the file with this blob id is to be left out. */
  readonly isDropped: (id: string) => Promise<boolean>;
}

/** Returns a function that writes a tree without the dropped files and without folders that become empty. */
function createTreeRewriter({ repository, writer, isDropped }: RewriteInput) {
  /** Maps old tree ids to new ones; undefined if nothing is left of the tree. */
  const newIds = new Map<string, string | undefined>();

  async function rewriteEntry(entry: TreeEntry): Promise<TreeEntry | undefined> {
    if (isFolder(entry)) {
      const id = await rewriteTree(entry.id);
      return id === undefined ? undefined : { ...entry, id };
    }
    const isFile = !isModule(entry) && entry.mode !== MODES.link;
    return isFile && (await isDropped(entry.id)) ? undefined : entry;
  }

  async function rewriteTree(id: string): Promise<string | undefined> {
    if (newIds.has(id)) return newIds.get(id);
    const entries = await repository.readTree(id);
    const kept: TreeEntry[] = [];
    let changed = false;
    for (const entry of entries) {
      const rewritten = await rewriteEntry(entry);
      changed ||= rewritten?.id !== entry.id;
      if (rewritten) kept.push(rewritten);
    }
    const result = changed ? await writeTree(kept) : id;
    newIds.set(id, result);
    return result;
  }

  const writeTree = async (entries: readonly TreeEntry[]): Promise<string | undefined> =>
    entries.length === 0 ? undefined : writer.add({ type: 'tree', body: encodeTree(entries) });

  return async (id: string): Promise<string> =>
    (await rewriteTree(id)) ?? writer.add({ type: 'tree', body: encodeTree([]) });
}

/**
 * Rewrites commits and all of their ancestors without the dropped files. Returns a map from old to new ids; a commit
 * keeps its id if neither its files nor its parents change.
 */
export async function rewriteCommits(
  input: RewriteInput,
  heads: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { repository, writer } = input;
  const rewriteTree = createTreeRewriter(input);
  const newIds = new Map<string, string>();
  // Parents are rewritten before their children, with an explicit stack because recursion would be as deep as the
  // history.
  const stack = [...heads];
  for (let id = stack.at(-1); id !== undefined; id = stack.at(-1)) {
    if (newIds.has(id)) {
      stack.pop();
      continue;
    }
    if (newIds.size >= MAX_COMMITS) throw tooLarge(`A history of more than ${MAX_COMMITS} commits cannot be rewritten`);
    const { tree, parents } = await repository.readCommit(id);
    const pendingParents = parents.filter((parent) => !newIds.has(parent));
    if (pendingParents.length > 0) {
      stack.push(...pendingParents);
      continue;
    }
    const newTree = await rewriteTree(tree);
    const isSame = newTree === tree && parents.every((parent) => newIds.get(parent) === parent);
    newIds.set(id, isSame ? id : await rewriteCommit(repository, writer, id, { tree, newTree, newIds }));
    stack.pop();
  }
  return newIds;
}

interface NewNames {
  readonly tree: string;
  readonly newTree: string;
  readonly newIds: ReadonlyMap<string, string>;
}

async function rewriteCommit(
  repository: GitRepository,
  writer: ObjectWriter,
  id: string,
  { tree, newTree, newIds }: NewNames,
): Promise<string> {
  const { body } = await repository.read(id);
  const rewritten = replaceIds(body, (named) => (named === tree ? newTree : (newIds.get(named) ?? named)));
  parseCommit(rewritten);
  return writer.add({ type: 'commit', body: rewritten });
}
