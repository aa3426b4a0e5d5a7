import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createGitStore } from './git-store.ts';
import { withId } from './objects/object.ts';
import { createPackWriter } from './packs/pack-writer.ts';

const folder = mkdtempSync(join(tmpdir(), 'moonbase-damage-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const store = () => createGitStore(folder, { durable: false });
const objectsOf = (id: string) => join(store().folderOf(id), 'objects');
/** Two objects of the same size, which a stream sends in several chunks. */
const [FIRST, SECOND] = [blobOf('a'), blobOf('b')];

function blobOf(letter: string) {
  return withId({ type: 'blob', body: Buffer.alloc(300_000, letter) });
}

async function expectDamage(id: string, objects: readonly string[]): Promise<void> {
  for (const object of objects) {
    const repository = store().open(id);
    await expect(repository.read(object)).rejects.toThrow(`The object ${object} is damaged`);
    const { body } = await repository.stream(object);
    let received = 0;
    const reading = (async () => {
      for await (const chunk of body) received += chunk.length;
    })();
    await expect(reading).rejects.toThrow(`The object ${object} is damaged`);
    expect(received).toBeLessThan(300_000);
  }
}

test('an object under the id of another one is not served, read whole or as a stream', async () => {
  const id = '0'.repeat(24);
  await store().create(id);
  await store().writeLoose(id, [FIRST, SECOND]);
  const pathOf = (object: string) => join(objectsOf(id), object.slice(0, 2), object.slice(2));
  expect((await store().open(id).read(SECOND.id)).body).toEqual(SECOND.body);
  chmodSync(pathOf(SECOND.id), 0o600);
  copyFileSync(pathOf(FIRST.id), pathOf(SECOND.id));
  await expectDamage(id, [SECOND.id]);
});

test('an object is not served from a pack whose index confuses two objects', async () => {
  const id = '1'.repeat(24);
  await store().create(id);
  const folder = join(objectsOf(id), 'pack');
  const pack = await createPackWriter(folder, { durable: false });
  for (const blob of [FIRST, SECOND]) await pack.add(blob);
  await pack.finish();
  expect((await store().open(id).read(SECOND.id)).body).toEqual(SECOND.body);
  const name = (await readdir(folder)).find((each) => each.endsWith('.idx')) ?? '';
  const path = join(folder, name);
  const index = readFileSync(path);
  // A header of 8 bytes, 256 counts, then ids, checksums and offsets of the two objects.
  const offsets = 8 + 256 * 4 + 2 * 20 + 2 * 4;
  const swapped = Buffer.concat([
    index.subarray(0, offsets),
    index.subarray(offsets + 4, offsets + 8),
    index.subarray(offsets, offsets + 4),
    index.subarray(offsets + 8),
  ]);
  chmodSync(path, 0o600);
  writeFileSync(path, swapped);
  await expectDamage(id, [FIRST.id, SECOND.id]);
});
