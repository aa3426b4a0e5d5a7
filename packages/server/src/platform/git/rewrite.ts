import { tooLarge } from './fault.ts';
import type { ObjectWriter } from './object-writer.ts';
import { parseCommit } from './objects/commit.ts';
import { replaceIds } from './objects/replace-ids.ts';
import { encodeTree, isFolder, isModule, MODES, type TreeEntry } from './objects/tree.ts';
import type { GitRepository } from './repository.ts';

/** Commits whose new ids are kept in memory. */
const MAX_COMMITS = 200_000;

interface Rewriting {
  readonly repository: GitRepository;
  readonly writer: ObjectWriter;
  /** Whether a file, given by the id of its blob, is left out. */
  readonly isDropped: (id: string) => Promise<boolean>;
}

/** Returns a function that writes a tree without the files that are dropped. Folders that become empty go as well. */
function createTreeRewriting({ repository, writer, isDropped }: Rewriting) {
  /** New ids by old ones; undefined: nothing is left. */
  const known = new Map<string, string | undefined>();

  async function rewriteEntry(entry: TreeEntry): Promise<TreeEntry | undefined> {
    if (isFolder(entry)) {
      const id = await rewriteTree(entry.id);
      return id === undefined ? undefined : { ...entry, id };
    }
    const isFile = !isModule(entry) && entry.mode !== MODES.link;
    return isFile && (await isDropped(entry.id)) ? undefined : entry;
  }

  async function rewriteTree(id: string): Promise<string | undefined> {
    if (known.has(id)) return known.get(id);
    const entries = await repository.readTree(id);
    const kept: TreeEntry[] = [];
    let changed = false;
    for (const entry of entries) {
      const rewritten = await rewriteEntry(entry);
      changed ||= rewritten?.id !== entry.id;
      if (rewritten) kept.push(rewritten);
    }
    const result = changed ? await writeTree(kept) : id;
    known.set(id, result);
    return result;
  }

  const writeTree = async (entries: readonly TreeEntry[]): Promise<string | undefined> =>
    entries.length === 0 ? undefined : writer.add({ type: 'tree', body: encodeTree(entries) });

  return async (id: string): Promise<string> =>
    (await rewriteTree(id)) ?? writer.add({ type: 'tree', body: encodeTree([]) });
}

/**
 * Writes commits and all that they come from anew, without the files that are dropped. Returns the new id of each; a
 * commit keeps its id where neither its files nor its parents change.
 */
export async function rewriteCommits(
  rewriting: Rewriting,
  heads: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { repository, writer } = rewriting;
  const rewriteTree = createTreeRewriting(rewriting);
  const known = new Map<string, string>();
  // Parents go before their children; a walk that called itself would be as deep as the history is long.
  const open = [...heads];
  for (let id = open.at(-1); id !== undefined; id = open.at(-1)) {
    if (known.has(id)) {
      open.pop();
      continue;
    }
    if (known.size >= MAX_COMMITS) throw tooLarge(`A history of more than ${MAX_COMMITS} commits is not rewritten`);
    const { tree, parents } = await repository.readCommit(id);
    const waiting = parents.filter((parent) => !known.has(parent));
    if (waiting.length > 0) {
      open.push(...waiting);
      continue;
    }
    const newTree = await rewriteTree(tree);
    const isSame = newTree === tree && parents.every((parent) => known.get(parent) === parent);
    known.set(id, isSame ? id : await rewriteCommit(repository, writer, id, { tree, newTree, known }));
    open.pop();
  }
  return known;
}

interface NewNames {
  readonly tree: string;
  readonly newTree: string;
  readonly known: ReadonlyMap<string, string>;
}

async function rewriteCommit(
  repository: GitRepository,
  writer: ObjectWriter,
  id: string,
  { tree, newTree, known }: NewNames,
): Promise<string> {
  const { body } = await repository.read(id);
  const rewritten = replaceIds(body, (named) => (named === tree ? newTree : (known.get(named) ?? named)));
  parseCommit(rewritten);
  return writer.add({ type: 'commit', body: rewritten });
}
