import { z } from 'zod';
import { RECENT_DAYS } from '../cards/index.ts';
import type { Clock } from '../platform/clock.ts';
import { defineTask, type StepOf } from '../platform/queue/tasks.ts';
import { type RepoCounts, setCounts } from '../repositories/index.ts';
import { downloadedRepos, recentDownloads } from './popularity-store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** The number of days that count for `trendingScore`, each less than the one after it. */
const TRENDING_DAYS = 7;
const DECAY = 0.8;
const BATCH_REPOS = 500;

const Reached = z.object({ repoId: z.string() });

export const popularityTask = defineTask('catalog.popularity', Reached.nullable());

/** Returns the counts of a repository from its downloads by age in days. */
export function countsOf(downloadsByAge: ReadonlyMap<number, number>): RepoCounts {
  let [downloads, trending] = [0, 0];
  for (const [age, count] of downloadsByAge) {
    if (age < RECENT_DAYS) downloads += count;
    if (age < TRENDING_DAYS) trending += DECAY ** age * Math.log(1 + count);
  }
  return { downloads, trending: Math.round(trending * 1000) };
}

/** Copies the counts of all repositories that were ever downloaded to where lists sort by them, a batch per step. */
export const createPopularity =
  ({ clock }: { readonly clock: Clock }): StepOf<typeof popularityTask> =>
  async (tx, { data }) => {
    const ids = await downloadedRepos(tx, data?.repoId ?? '', BATCH_REPOS);
    const today = Math.floor(clock.now() / DAY_MS);
    const byRepo = new Map(ids.map((id) => [id, new Map<number, number>()]));
    for (const { repo_id, day, downloads } of await recentDownloads(tx, ids, today - RECENT_DAYS))
      byRepo.get(repo_id)?.set(today - day, Number(downloads));
    await setCounts(tx, new Map([...byRepo].map(([id, byAge]) => [id, countsOf(byAge)])));
    const last = ids.at(-1);
    return last !== undefined && ids.length === BATCH_REPOS ? { data: { repoId: last } } : 'done';
  };
