import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createPause } from '../src/platform/cooperative.ts';
import { treeDiff } from '../src/platform/git/diffing/tree-diff.ts';
import { commitFiles, type FileContent, type Files, hasStockGit, openScratch } from './stock-git.ts';

const scratch = openScratch();
afterAll(() => scratch[Symbol.dispose]());

const filesOf = (contents: Readonly<Record<string, string>>): Files =>
  new Map(Object.entries(contents).map(([path, content]) => [path, { content }]));

async function diffOf(before: Files, after: Files): Promise<string> {
  const { repository } = await scratch.newRepository();
  const treeOf = async (files: Files) =>
    (await repository.readCommit(await commitFiles(repository, { parents: [], files, time: 0 }))).tree;
  return treeDiff(repository, { before: await treeOf(before), after: await treeOf(after) }, createPause());
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => `${at}\n`).join('');

describe('a unified diff', () => {
  test('has the form of git diff', async () => {
    const before = filesOf({ 'a b.txt': '1\n2\n3\n4\n5\n', gone: 'x\n', same: 's' });
    const after = filesOf({ 'a b.txt': '1\n2\nthree\n4\n5', new: '', same: 's' });
    expect(await diffOf(before, after)).toBe(
      [
        'diff --git a/a b.txt b/a b.txt',
        'index 8a1218a..b3581b7 100644',
        '--- a/a b.txt\t',
        '+++ b/a b.txt\t',
        '@@ -1,5 +1,5 @@',
        ' 1',
        ' 2',
        '-3',
        '+three',
        ' 4',
        '-5',
        '+5',
        '\\ No newline at end of file',
        'diff --git a/gone b/gone',
        'deleted file mode 100644',
        'index 587be6b..0000000',
        '--- a/gone',
        '+++ /dev/null',
        '@@ -1 +0,0 @@',
        '-x',
        'diff --git a/new b/new',
        'new file mode 100644',
        'index 0000000..e69de29',
        '',
      ].join('\n'),
    );
  });

  test('says what it leaves out: long files, large files, and more than 300 of them', async () => {
    const long = await diffOf(filesOf({ long: '', b: '1' }), filesOf({ long: numbers(5_001), b: '2' }));
    expect(long).toContain('# The changes of long are left out: they have more than 5000 lines\n');
    expect(long).toContain('+2\n');
    const large = await diffOf(new Map(), filesOf({ large: 'x'.repeat(1024 * 1024 + 1) }));
    expect(large).toBe('# The changes of large are left out: the file is larger than 1 MiB\n');
    const many = Array.from({ length: 302 }, (_, at) => [`f${at}`, `${at}`] as const);
    expect(await diffOf(new Map(), filesOf(Object.fromEntries(many)))).toMatch(/\n# 2 more files changed: /);
  });

  test('shows no bytes that are not text', async () => {
    const diff = await diffOf(filesOf({ b: 'a\0' }), filesOf({ b: 'b\0' }));
    expect(diff.split('\n').at(-2)).toBe('Binary files a/b and b/b differ');
  });
});

const PATHS = ['a', 'b c', 'd/e', 'd/f g', 'd/h/i', 'é', 'q"\\', 'a/b'];
const line = fc.constantFrom('one', 'two', 'three', 'x', '', 'ä');
const text = fc
  .tuple(fc.array(line, { maxLength: 30 }), fc.boolean())
  .map(([lines, ended]) => lines.join('\n') + (ended && lines.length > 0 ? '\n' : ''));
const file = fc.record({ content: text, mode: fc.constantFrom('100644', '100644', '100755') });
const files = fc
  .dictionary(fc.constantFrom(...PATHS), file, { maxKeys: 6, noNullPrototype: true })
  .map((given): Files => {
    const kept = new Map<string, FileContent>();
    for (const [path, each] of Object.entries(given))
      if (![...kept.keys()].some((other) => other.startsWith(`${path}/`) || path.startsWith(`${other}/`)))
        kept.set(path, each);
    return kept;
  });

/** Reads the files below a folder on disk. */
function readBelow(folder: string, prefix = ''): Record<string, FileContent> {
  const found: Record<string, FileContent> = {};
  for (const entry of readdirSync(join(folder, prefix), { withFileTypes: true })) {
    const path = `${prefix}${entry.name}`;
    if (entry.isDirectory()) Object.assign(found, readBelow(folder, `${path}/`));
    else {
      const isExecutable = (statSync(join(folder, path)).mode & 0o100) !== 0;
      found[path] = { content: readFileSync(join(folder, path), 'utf8'), mode: isExecutable ? '100755' : '100644' };
    }
  }
  return found;
}

describe.skipIf(!hasStockGit)('git apply', () => {
  test('turns one tree into the other with any diff', async () => {
    await fc.assert(
      fc.asyncProperty(files, files, async (before, after) => {
        const { git } = await scratch.newRepository();
        const folder = mkdtempSync(join(scratch.folder, 'tree-'));
        try {
          // The changes lead from nothing to the first tree, and from there to the second.
          for (const diff of [await diffOf(new Map(), before), await diffOf(before, after)]) {
            if (diff === '') continue;
            const applied = git(['--work-tree', folder, 'apply', '--whitespace=nowarn', '-'], {
              input: diff,
              cwd: folder,
            });
            expect([applied.status, applied.stderr], diff).toEqual([0, '']);
          }
          expect(readBelow(folder)).toEqual(Object.fromEntries(after));
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      }),
      { numRuns: 40 },
    );
  });
});
