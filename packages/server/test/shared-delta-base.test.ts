import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withId } from '../src/platform/git/objects/object.ts';
import { packOf } from './git-packs.ts';
import { hasStockGit, openScratch } from './stock-git.ts';

test.skipIf(!hasStockGit)('a delta is read whose base is in other packs as well', async () => {
  using scratch = openScratch();
  const { repository, git } = await scratch.newRepository();
  const gitDir = join(scratch.folder, '00', `${'0'.repeat(24)}.git`);
  const blob = (text: string) => withId({ type: 'blob', body: Buffer.from(text) });
  const base = blob('abc');
  const addPack = (pack: Buffer) =>
    expect(spawnSync('git', ['--git-dir', gitDir, 'index-pack', '--stdin'], { input: pack }).status).toBe(0);
  // One of them is found first, whatever the order of names.
  for (const text of ['1', '2', '3', '4', '5', '6', '7', '8']) addPack(packOf(base, blob(text)));
  // Twice a copy of the three bytes of the base.
  addPack(packOf(base, { base: base.id, delta: Buffer.from([3, 6, 0x90, 3, 0x90, 3]) }));
  const twice = blob('abcabc');
  expect(git(['cat-file', '-p', twice.id]).stdout).toBe('abcabc');
  expect((await repository.read(twice.id)).body.toString()).toBe('abcabc');
  expect(await repository.header(twice.id)).toEqual({ type: 'blob', size: 6 });
});
