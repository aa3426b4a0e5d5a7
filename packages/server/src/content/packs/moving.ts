import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Progress } from '../../platform/backup/format.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { isAbsent, unlessAbsent } from '../../platform/git/durable-files.ts';
import { GitFault } from '../../platform/git/fault.ts';
import type { GitStore } from '../../platform/git/git-store.ts';
import { LOOSE_FILE, LOOSE_FOLDER, namesIn, PACK_FILE } from '../../platform/git/maintenance/object-files.ts';
import { packAt } from '../../platform/git/packs/adopt-packs.ts';
import type { FinishedPack } from '../../platform/git/packs/finished-pack.ts';
import { checksumOf, isSoundIndex } from '../../platform/git/packs/pack-checksum.ts';
import { gitRepoIds } from '../store.ts';
import type { BucketPacks } from './bucket-packs.ts';
import { isInBucket, reposWithObjects } from './bucket-store.ts';
import type { Ownership } from './ownership.ts';
import { packsOf } from './pack-store.ts';

const REPOS_PER_PAGE = 500;
/** What stock git derives from packs, by their names: an index of several packs, bitmaps, and the times of objects set apart. */
const DERIVED = /^(multi-pack-index.*|pack-[0-9a-f]{40}\.(bitmap|mtimes))$/;

/** What was moved, by this run and by interrupted ones before it. */
export interface MovedGit {
  readonly repositories: number;
  readonly packs: number;
  /** Files that are missing or damaged; while there are any, the data folder remains the place of git objects. */
  readonly faulty: readonly string[];
}

interface Dependencies {
  readonly read: ReadExecutor;
  readonly store: GitStore;
  readonly packs: Pick<BucketPacks, 'keep'>;
  readonly ownership: Pick<Ownership, 'reserve' | 'complete'>;
}

interface Options {
  /** Whether the bucket may belong to another hub, which is gone. */
  readonly takeOver: boolean;
  readonly onProgress: (progress: Progress) => void;
}

/**
 * Moves the git objects of a hub that is not running from its data folder into its bucket; what an interrupted run has moved
 * is not moved again. Throws if they are there already, or if the bucket belongs to another hub that is not gone.
 */
export async function moveToBucket(
  { read, store, packs, ownership }: Dependencies,
  { takeOver, onProgress }: Options,
): Promise<MovedGit> {
  const isMoved = await isInBucket(read);
  if (isMoved && !takeOver) throw new Error('The git objects of this hub are in its bucket already.');
  await ownership.reserve({ takeOver });
  if (isMoved) return { repositories: 0, packs: 0, faulty: [] };
  const faulty: string[] = [];
  let [repositories, moved] = [0, 0];

  /** Moves the packs of a repository; their files get the names that they have in the bucket. */
  async function movePacks(id: string): Promise<void> {
    const folder = store.packFolderOf(id);
    for (const file of await namesIn(folder, DERIVED)) await rm(join(folder, file), { force: true });
    const known = new Set((await packsOf(read, id)).map(({ name }) => name));
    for (const file of await namesIn(folder, PACK_FILE)) {
      if (!file.endsWith('.idx')) continue;
      const pack = await soundPackAt(folder, file.slice(0, -'.idx'.length));
      if (!pack) faulty.push(join(folder, file));
      else if (!known.has(pack.name)) await packs.keep(id, pack);
      onProgress({ table: 'packs', rows: ++moved });
    }
  }

  async function move(id: string): Promise<void> {
    while ((await store.packAllLoose(id)) > 0);
    await movePacks(id);
    faulty.push(...(await looseFiles(join(store.folderOf(id), 'objects'))));
    repositories++;
  }

  const filled = new Set<string>();
  for await (const id of pagesOf((after) => reposWithObjects(read, after, REPOS_PER_PAGE))) filled.add(id);
  for await (const id of pagesOf((after) => gitRepoIds(read, after, REPOS_PER_PAGE)))
    if (await store.exists(id)) await move(id);
    else if (filled.has(id)) faulty.push(store.folderOf(id));
  if (faulty.length === 0) await ownership.complete();
  return { repositories, packs: moved, faulty };
}

/** Returns a pack under the name that follows from its content; undefined if the pack or its index is damaged. */
async function soundPackAt(folder: string, oldName: string): Promise<FinishedPack | undefined> {
  try {
    const { packPath, indexPath } = await packAt(folder, oldName);
    const name = `pack-${await checksumOf(packPath)}`;
    if (!(await isSoundIndex(indexPath, name))) return undefined;
    if (name !== oldName) await renamePack(folder, oldName, name);
    return await packAt(folder, name);
  } catch (error) {
    if (isAbsent(error) || error instanceof GitFault) return undefined;
    throw error;
  }
}

async function renamePack(folder: string, from: string, to: string): Promise<void> {
  // A pack counts once it has an index.
  for (const ending of ['pack', 'rev', 'idx'])
    await rename(join(folder, `${from}.${ending}`), join(folder, `${to}.${ending}`)).catch(unlessAbsent);
}

/** Returns the loose objects that are in no pack, because they are damaged. */
async function looseFiles(objects: string): Promise<string[]> {
  const files: string[] = [];
  for (const folder of await namesIn(objects, LOOSE_FOLDER))
    for (const name of await namesIn(join(objects, folder), LOOSE_FILE)) files.push(join(objects, folder, name));
  return files;
}

async function* pagesOf(page: (after: string) => Promise<string[]>): AsyncGenerator<string, void> {
  for (let ids = await page(''); ids.length > 0; ids = await page(ids.at(-1) ?? '')) yield* ids;
}
