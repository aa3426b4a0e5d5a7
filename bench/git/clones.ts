import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Scale } from '../scale.ts';
import { type Figure, ratio } from '../stats.ts';
import type { FilledRepo, GitClient } from './filled-repo.ts';

/** Measures clones of many files, one and several at once, against `git http-backend` on the same repository. */
export async function clones(
  client: GitClient,
  { remote }: FilledRepo,
  { reference, scale }: { readonly reference: string; readonly scale: Scale },
): Promise<Figure[]> {
  const { cloneFiles, clonesAtOnce, rounds } = scale;
  const figures: Figure[] = [];
  for (const count of [1, clonesAtOnce]) {
    const pairs: [number, number][] = [];
    await clonesPerSecond(client, remote, 1);
    for (let round = 0; round < rounds; round++)
      pairs.push([await clonesPerSecond(client, remote, count), await clonesPerSecond(client, reference, count)]);
    const what = count === 1 ? 'a clone' : `${count} clones at once`;
    figures.push({
      name: `${what} of ${cloneFiles.toLocaleString('en')} files of 10 kB, to git http-backend on the same repository`,
      ...{ value: ratio(pairs), unit: 'ratio', bound: { atLeast: 0.9 }, rounds: pairs },
    });
  }
  return figures;
}

/** Makes bare clones, which write no files out: the work of the client is the least that git allows. */
async function clonesPerSecond(client: GitClient, url: string, count: number): Promise<number> {
  const names = Array.from({ length: count }, (_, at) => `clone-${at}`);
  const startedAt = performance.now();
  await Promise.all(names.map((name) => client.run('.', 'clone', '--quiet', '--bare', url, name)));
  const perSecond = count / ((performance.now() - startedAt) / 1000);
  for (const name of names) await rm(join(client.folder, name), { recursive: true });
  return perSecond;
}
