import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLastCommits, searchLastCommits } from '../src/content/reading/last-commits.ts';
import { commitFiles, type FileContent, hasStockGit, openScratch } from './stock-git.ts';

const PATHS = ['a.txt', 'b.txt', 'folder/c.txt', 'folder/d.txt', 'folder'];

const asked = { repoId: 'a repository', requester: 'somebody' };

/** A change of one file; `isMerge` joins it with the commit two before. */
const step = fc.record({
  path: fc.constantFrom(...PATHS.slice(0, 4)),
  content: fc.nat({ max: 2 }),
  isMerge: fc.boolean(),
  isAsked: fc.boolean(),
});

test('cached results equal those of a search through the whole history', async () => {
  using scratch = openScratch();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const { repository } = await scratch.newRepository();
      const lastCommits = createLastCommits();
      const files = new Map<string, FileContent>();
      const commits: string[] = [];
      for (const [at, { path, content, isMerge, isAsked }] of steps.entries()) {
        files.set(path, { content: String(content) });
        const parents = [commits.at(-1), isMerge ? commits.at(-3) : undefined].filter((id) => id !== undefined);
        commits.push(await commitFiles(repository, { parents, files, time: at * 1000 }));
        if (!isAsked) continue;
        const head = commits.at(-1) ?? '';
        const wanted = await searchLastCommits(repository, head, PATHS);
        for (let time = 0; time < 2; time++)
          expect(await lastCommits({ ...asked, repository, commit: head, paths: PATHS })).toEqual(wanted);
      }
    }),
    { numRuns: 40 },
  );
});

/** A change of one path to a file, an executable, or a folder with a file. */
const change = fc.record({
  path: fc.constantFrom('a', 'a.txt', 'folder/a', 'folder/b'),
  content: fc.nat({ max: 1 }),
  mode: fc.constantFrom('100644', '100755'),
  isFolder: fc.boolean(),
});

test.skipIf(!hasStockGit)('the last commits are those that git finds, in packs with chains of deltas too', async () => {
  using scratch = openScratch();
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 2, maxLength: 12 }), async (changes) => {
      const { repository, git } = await scratch.newRepository();
      const files = new Map<string, FileContent>();
      // Enough other files that git stores each tree as a delta of another one.
      for (let other = 0; other < 50; other++) files.set(`other-${other}`, { content: 'other' });
      const commits: string[] = [];
      for (const [at, { path, content, mode, isFolder }] of changes.entries()) {
        files.delete(isFolder ? path : `${path}/inner`);
        files.set(isFolder ? `${path}/inner` : path, { content: String(content), mode });
        commits.push(await commitFiles(repository, { parents: commits.slice(-1), files, time: at * 1000 }));
      }
      const commit = commits.at(-1) ?? '';
      const paths = [...files.keys(), 'folder'];
      const byGit = paths.map(
        (path) => `${path} ${git(['log', '-1', '--format=%H', commit, '--', path]).stdout.trim()}`,
      );
      git(['update-ref', 'refs/heads/main', commit]);
      expect(git(['repack', '-adq']).status).toBe(0);
      const found = await searchLastCommits(repository, commit, paths);
      expect([...found].map(([path, { id }]) => `${path} ${id}`).sort()).toEqual(
        byGit.filter((line) => !line.endsWith(' ')).sort(),
      );
    }),
    { numRuns: 5 },
  );
});

test('a path that does not exist has no last commit, however often it is requested', async () => {
  using scratch = openScratch();
  const { repository } = await scratch.newRepository();
  const files = new Map([['a.txt', { content: '1' }]]);
  const first = await commitFiles(repository, { parents: [], files, time: 0 });
  const second = await commitFiles(repository, { parents: [first], files, time: 1000 });
  const lastCommits = createLastCommits();
  for (let time = 0; time < 2; time++) {
    const found = await lastCommits({ ...asked, repository, commit: second, paths: ['a.txt', 'nowhere'] });
    expect([...found].map(([path, { id }]) => [path, id])).toEqual([['a.txt', first]]);
  }
});
