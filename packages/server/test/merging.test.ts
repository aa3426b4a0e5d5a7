import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createPause } from '../src/platform/cooperative.ts';
import { mergeLines } from '../src/platform/git/lines/merge-lines.ts';
import { mergeBases } from '../src/platform/git/merging/merge-bases.ts';
import { mergeCommits } from '../src/platform/git/merging/merge-commits.ts';
import type { GitRepository } from '../src/platform/git/repository.ts';
import { listTree } from '../src/platform/git/tree-walk.ts';
import { commitFiles, type FileContent, type Files, hasStockGit, openScratch } from './stock-git.ts';

const scratch = openScratch();
afterAll(() => scratch[Symbol.dispose]());

const merge = async (base: string, ours: string, theirs: string) => {
  const [one, two, three] = [Buffer.from(base), Buffer.from(ours), Buffer.from(theirs)];
  const { text, hasConflicts } = await mergeLines({ base: one, ours: two, theirs: three }, createPause());
  return { text: text.toString(), hasConflicts };
};
const lines = (...words: string[]) => words.map((word) => `${word}\n`).join('');

describe('merging the lines of a text', () => {
  test.each([
    ['one side changed', lines('a', 'b'), lines('a', 'b', 'c'), lines('a', 'b'), lines('a', 'b', 'c')],
    ['both did the same', lines('a', 'b'), lines('x', 'b'), lines('x', 'b'), lines('x', 'b')],
    [
      'changes with a line between',
      lines('a', 'b', 'c'),
      lines('x', 'b', 'c'),
      lines('a', 'b', 'y'),
      lines('x', 'b', 'y'),
    ],
    ['a text without a newline at its end', 'a\nb', 'x\nb', 'a\nb', 'x\nb'],
    [
      'lines that repeat',
      lines('a', 'a', 'a'),
      lines('a', 'a', 'a', 'a'),
      lines('a', 'a', 'a', 'a'),
      lines('a', 'a', 'a', 'a'),
    ],
  ])('takes %s', async (_, base, ours, theirs, text) => {
    expect(await merge(base, ours, theirs)).toEqual({ text, hasConflicts: false });
  });

  test.each([
    ['one line changed twice', lines('a'), lines('x'), lines('y')],
    ['neighbours', lines('a', 'b'), lines('x', 'b'), lines('a', 'y')],
    ['two insertions in one place', lines('a', 'b'), lines('a', 'x', 'b'), lines('a', 'y', 'b')],
    ['a change of what the other removed', lines('a', 'b', 'c'), lines('a', 'x', 'c'), lines('a', 'c')],
  ])('refuses %s', async (_, base, ours, theirs) => {
    expect(await merge(base, ours, theirs)).toMatchObject({ hasConflicts: true });
  });

  test('terminates for texts that repeat a single line many times', async () => {
    const many = (count: number) => 'a\nb\n'.repeat(count);
    const shuffled = Array.from({ length: 20_000 }, (_, at) => `${(at * 7919) % 20_000}\n`);
    expect(await merge(many(20_000), `x\n${many(20_000)}`, `${many(20_000)}y\n`)).toMatchObject({
      hasConflicts: false,
    });
    expect(await merge(shuffled.join(''), shuffled.toReversed().join(''), 'b\n')).toMatchObject({ hasConflicts: true });
  });

  test('yields to other work in the meantime', async () => {
    let turns = 0;
    let working = true;
    const count = () => {
      turns++;
      if (working) setImmediate(count);
    };
    setImmediate(count);
    const text = (seed: number) => Array.from({ length: 8_000 }, (_, at) => `${(at * seed) % 997}\n`).join('');
    await merge(text(7), text(11), text(13));
    working = false;
    expect(turns).toBeGreaterThan(2);
  });
});

const PATHS = ['a', 'b.txt', 'folder/c', 'folder/d.txt', 'folder/deeper/e', 'a/inside', 'é #'];

interface Step {
  readonly kind: 'edit' | 'put' | 'delete' | 'chmod' | 'merge';
  readonly branch: number;
  readonly other: number;
  readonly path: number;
  readonly at: number;
  readonly count: number;
  readonly time: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('edit', 'edit', 'edit', 'put', 'delete', 'chmod', 'merge', 'merge'),
  branch: fc.nat(2),
  other: fc.nat(2),
  path: fc.nat(PATHS.length - 1),
  at: fc.nat(30),
  count: fc.nat(3),
  time: fc.nat(20),
});

let lineNumber = 0;
const fresh = (count: number) => Array.from({ length: count }, () => `line ${lineNumber++}\n`);

/** Adds a file and removes a folder of the same name or files in place of its folders. */
function withFile(files: Files, path: string, file: FileContent): Files {
  const others = [...files].filter(([each]) => !each.startsWith(`${path}/`) && !path.startsWith(`${each}/`));
  return new Map([...others, [path, file]]);
}

function changed(files: Files, { kind, path: index, at, count }: Step): Files {
  const path = PATHS[index] ?? 'a';
  const before = files.get(path);
  switch (kind) {
    case 'put':
      return withFile(files, path, { content: fresh(count + 1).join('') });
    case 'delete':
      return new Map([...files].filter(([each]) => each !== path));
    case 'chmod':
      return before
        ? withFile(files, path, { ...before, mode: before.mode ? undefined : '100755' } as FileContent)
        : files;
    case 'edit': {
      if (!before) return files;
      const now = before.content.split(/(?<=\n)/);
      now.splice(at % (now.length + 1), count, ...fresh(count === 3 ? 0 : 1));
      return withFile(files, path, { ...before, content: now.join('') });
    }
    case 'merge':
      return files;
  }
}

async function filesOf(repository: GitRepository, tree: string): Promise<Files> {
  const files = new Map<string, FileContent>();
  for await (const { path, id, mode } of listTree(repository, tree, { prefix: '', recursive: true }))
    if (mode !== '40000')
      files.set(path, { content: (await repository.read(id)).body.toString(), ...(mode === '100755' && { mode }) });
  return files;
}

/** Merges in memory only, or into the repository. */
async function mergeOf(repository: GitRepository, ours: string, theirs: string) {
  const writer = repository.writer();
  const merged = await mergeCommits(
    repository,
    { ours, theirs },
    { add: (object) => writer.add(object), isOpaque: () => false, pause: createPause() },
  );
  await writer.finish();
  return merged;
}

/** Creates a history of three branches; returns their heads. */
async function historyOf(repository: GitRepository, steps: readonly Step[]): Promise<string[]> {
  const first: Files = new Map(
    ['a', 'b.txt', 'folder/c', 'folder/d.txt'].map((path) => [path, { content: fresh(12).join('') }]),
  );
  const root = await commitFiles(repository, { parents: [], files: first, time: 10_000 });
  const heads = [root, root, root];
  for (const each of steps) {
    const [head = root, other = root] = [heads[each.branch], heads[each.other]];
    let parents = [head];
    let files = await filesOf(repository, (await repository.readCommit(head)).tree);
    if (each.kind === 'merge') {
      if (head === other) continue;
      const { tree, conflicts } = await mergeOf(repository, head, other);
      // The merge resolves conflicts with the present files, as users sometimes do.
      if (conflicts.length === 0) files = await filesOf(repository, tree);
      parents = [head, other];
    } else files = changed(files, each);
    heads[each.branch] = await commitFiles(repository, { parents, files, time: 10_000 + each.time * 1000 });
  }
  return heads;
}

describe.skipIf(!hasStockGit)('merging commits, beside stock git', () => {
  test('finds the same bases, the same conflicts and the same trees', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24 }), async (steps) => {
        const { repository, git } = await scratch.newRepository();
        const [ours = '', theirs = ''] = await historyOf(repository, steps);
        const bases = git(['merge-base', '--all', ours, theirs]).stdout.trim().split('\n').sort();
        expect(await mergeBases(repository, ours, theirs, createPause())).toEqual(bases);
        const stock = git(['-c', 'merge.renames=false', 'merge-tree', '--write-tree', ours, theirs]);
        const { tree, conflicts } = await mergeOf(repository, ours, theirs);
        expect(stock.status, stock.stderr).toBe(conflicts.length === 0 ? 0 : 1);
        if (conflicts.length === 0) expect(tree).toBe(stock.stdout.trim().split('\n')[0]);
      }),
      { numRuns: 40 },
    );
  });
});
