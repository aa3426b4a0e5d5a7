import { mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { install, isBuilt, keyOf, readFiles, records } from '../../scripts/built.mjs';

let folder: string;
let name: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moonbase-built-'));
  name = `test-${process.pid}-${folder.slice(-6)}`;
  onTestFinished(async () => {
    await rm(folder, { recursive: true });
    await rm(join(records, `${name}.json`), { force: true });
  });
});

const built = (...files: readonly string[]) => new Map(files.map((file) => [file, Buffer.from(`text of ${file}`)]));

/** Lets a file be older than any build in progress. */
const age = (file: string) => utimes(join(folder, file), new Date(0), new Date(0));

test('a change of a source is noticed, and nothing else is', async () => {
  const source = join(folder, 'source.ts');
  await writeFile(source, 'one');
  const key = keyOf([folder]);
  expect(keyOf([folder])).toBe(key);
  await writeFile(source, 'another');
  expect(keyOf([folder])).not.toBe(key);
});

test('what is built is built again when a file of it is gone', async () => {
  expect(isBuilt(name, folder, 'key')).toBe(false);
  install(name, folder, { key: 'key', files: built('main.js') });
  expect(isBuilt(name, folder, 'key')).toBe(true);
  expect(isBuilt(name, folder, 'another key')).toBe(false);
  await rm(join(folder, 'main.js'));
  expect(isBuilt(name, folder, 'key')).toBe(false);
});

test('the parts of the build before stay for the hub that runs, those of earlier ones go', async () => {
  install(name, folder, { key: 'one', files: built('main.js', 'one.js') });
  install(name, folder, { key: 'two', files: built('main.js', 'two.js') });
  expect([...readFiles(folder).keys()].sort()).toEqual(['main.js', 'one.js', 'two.js']);
  await age('one.js');
  install(name, folder, { key: 'three', files: built('main.js', 'three.js') });
  expect([...readFiles(folder).keys()].sort()).toEqual(['main.js', 'three.js', 'two.js']);
  install(name, folder, { key: 'four', files: built('main.js'), only: true });
  expect([...readFiles(folder).keys()]).toEqual(['main.js']);
});

test('a file that is the same is left as it is', async () => {
  install(name, folder, { key: 'one', files: built('main.js') });
  await age('main.js');
  install(name, folder, { key: 'two', files: built('main.js') });
  expect((await stat(join(folder, 'main.js'))).mtimeMs).toBe(0);
  expect(await readFile(join(folder, 'main.js'), 'utf8')).toBe('text of main.js');
});
