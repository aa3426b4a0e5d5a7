import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inflate } from '../compression.ts';
import { GitFault } from '../fault.ts';
import { applyDelta } from '../packs/delta.ts';
import { parseEntryHeader } from '../packs/pack-entry.ts';
import { pathFault } from '../paths.ts';
import { idOf } from './object.ts';
import { encodePerson, parsePerson } from './person.ts';
import { compareTrees, encodeTree, parseTree, type TreeEntry } from './tree.ts';

const id = 'a'.repeat(40);

test('ids are the same as those of git', () => {
  expect(idOf({ type: 'blob', body: Buffer.from('') })).toBe('e69de29bb2d1d6434b8b29ae775ad8c2e48c5391');
  expect(idOf({ type: 'tree', body: Buffer.from('') })).toBe('4b825dc642cb6eb9a060e54bf8d69288fbee4904');
});

test('folders sort as if their names ended with a slash', () => {
  const entry = (name: string, mode = '100644') => ({ name, mode, id });
  const sorted = parseTree(encodeTree([entry('a', '40000'), entry('a.b'), entry('a0')]));
  expect(sorted.map(({ name }) => name)).toEqual(['a.b', 'a', 'a0']);
});

test('hostile trees are refused', () => {
  const tree = (...entries: string[]) =>
    Buffer.concat(entries.flatMap((entry) => [Buffer.from(`${entry}\0`), Buffer.alloc(20)]));
  for (const entries of [
    ['100644 ..'],
    ['100644 .git'],
    ['40000 .GIT'],
    ['100644 a/b'],
    ['100644 '],
    ['777 a'],
    ['100644 b', '100644 a'],
    ['100644 a', '100644 a'],
  ])
    expect(() => parseTree(tree(...entries))).toThrow(GitFault);
  expect(() => parseTree(tree('100644 a').subarray(0, -1))).toThrow(GitFault);
});

/** Names of which some are the beginning of others, and ids that contain what ends a name. */
const entries = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom('a', 'a.b', 'a0', 'ab', 'b', 'b-', 'c'),
    mode: fc.constantFrom('100644', '100755', '40000'),
    id: fc.constantFrom('00'.repeat(20), '61'.repeat(20), `${'00'.repeat(19)}61`),
  }),
  { selector: ({ name }) => name },
);

const isSame = (one: TreeEntry, other: TreeEntry): boolean => encodeTree([one]).equals(encodeTree([other]));

test('two trees are compared as their parsed entries are', async () => {
  await fc.assert(
    fc.asyncProperty(entries, entries, async (ours, theirs) => {
      const onlyIn = (some: TreeEntry[], others: TreeEntry[]) =>
        parseTree(encodeTree(some.filter((each) => !others.some((other) => isSame(each, other)))));
      const found = await compareTrees(encodeTree(ours), encodeTree(theirs));
      expect([...found.ours.values()]).toEqual(onlyIn(ours, theirs));
      expect([...found.theirs.values()]).toEqual(onlyIn(theirs, ours));
      expect([...found.ours].every(([name, entry]) => entry.name === name)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('hostile trees are not compared', async () => {
  const good = encodeTree([{ name: 'a', mode: '100644', id }]);
  for (const bad of [good.subarray(0, -1), Buffer.from('100644'), Buffer.from(`777 a\0${'x'.repeat(20)}`)]) {
    await expect(compareTrees(good, bad)).rejects.toThrow(GitFault);
    await expect(compareTrees(bad, good)).rejects.toThrow(GitFault);
  }
});

test('hostile deltas are refused', () => {
  const base = Buffer.from('abcdef');
  expect(applyDelta(base, Buffer.from([6, 4, 0x91, 1, 3, 1, 0x7a]), 100).toString()).toBe('bcdz');
  for (const delta of [
    [6],
    [5, 1, 1, 0x61],
    [6, 4, 0],
    [6, 9, 0x91, 1, 9],
    [6, 4, 0x91, 1],
    [6, 4, 9, 1],
    [6, 2, 1, 65],
  ])
    expect(() => applyDelta(base, Buffer.from(delta), 100)).toThrow(GitFault);
  expect(() => applyDelta(base, Buffer.from([6, 0x80, 0x80, 0x80, 0x80, 0x10]), 100)).toThrow(/bytes/);
});

test('hostile pack entries are refused', () => {
  expect(() => parseEntryHeader(Buffer.alloc(40, 0xff), 100)).toThrow(GitFault);
  expect(() => parseEntryHeader(Buffer.from([0x61, 0x7f]), 5)).toThrow(/outside/);
  expect(() => parseEntryHeader(Buffer.from([0x51]), 100)).toThrow(/type/);
});

test('compressed data cannot become larger than its limit', async () => {
  const bomb = deflateSync(Buffer.alloc(1_000_000));
  await expect(inflate(bomb, 1000)).rejects.toThrow(/larger/);
  await expect(inflate(Buffer.from('none'), 1000)).rejects.toThrow(GitFault);
  const twice = Buffer.concat([deflateSync(Buffer.from('one')), Buffer.from('rest')]);
  expect((await inflate(twice, 3)).toString()).toBe('one');
});

test('harmless paths are accepted, and harmful ones refused', () => {
  for (const path of ['a', 'a/b c', '.gitignore', '.github/x', 'é#%', 'git', 'a..b', `${'x'.repeat(255)}`])
    expect(pathFault(path)).toBeUndefined();
  const refused = ['', '/a', 'a/', 'a//b', '..', 'a/../b', './a', '.git', '.GIT/config', 'a/.git ', '.git.', 'git~1'];
  for (const path of [
    ...refused,
    '.git::$INDEX_ALLOCATION',
    '.g\u200cit',
    'a\\.git',
    '..\\a',
    'a\0',
    'a\n',
    '\ud800',
    'x'.repeat(256),
  ])
    expect(pathFault(path)).toBeTypeOf('string');
  expect(pathFault('a/'.repeat(3000))).toBeTypeOf('string');
});

test('names and addresses of persons are stripped to fit the format of git', () => {
  const line = encodePerson({ name: '<A>\nda', email: 'a b@<c>', time: 1_700_000_000_999 });
  expect(line).toBe('A da <ab@c> 1700000000 +0000');
  expect(parsePerson(line)).toEqual({ name: 'A da', email: 'ab@c', time: 1_700_000_000_000 });
  expect(encodePerson({ name: '', email: '', time: -5 })).toBe('unknown <> 0 +0000');
});
