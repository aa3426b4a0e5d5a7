import * as z from 'zod';
import { RECENT_DAYS } from '../cards/index.ts';
import { likesByDay, scoreOfDay, TRENDING_DAYS } from '../likes/index.ts';
import type { Clock } from '../platform/clock.ts';
import { defineTask, type StepOf } from '../platform/queue/tasks.ts';
import { type RepoCounts, setCounts } from '../repositories/index.ts';
import { countedRepos, recentDownloads } from './popularity-store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const BATCH_REPOS = 500;

const Reached = z.object({ repoId: z.string() });

export const popularityTask = defineTask('catalog.popularity', Reached.nullable());

/** What happened to a repository by age in days. */
interface Activity {
  readonly downloads: Map<number, number>;
  readonly likes: Map<number, number>;
}

/** Returns the counts of a repository from its downloads and likes. */
export function countsOf({ downloads, likes }: Activity): RepoCounts {
  let [recent, trending] = [0, 0];
  for (const [age, count] of downloads) {
    if (age < RECENT_DAYS) recent += count;
    trending += scoreOfDay(age, { downloads: count });
  }
  for (const [age, count] of likes) trending += scoreOfDay(age, { likes: count });
  return { downloads: recent, trending: Math.round(trending) };
}

/**
 * Copies the counts of all repositories that were ever downloaded or have a score to where lists sort by them, a batch per
 * step. A repository with a recent like has a score.
 */
export const createPopularity =
  ({ clock }: { readonly clock: Clock }): StepOf<typeof popularityTask> =>
  async (tx, { data }) => {
    const ids = await countedRepos(tx, data?.repoId ?? '', BATCH_REPOS);
    const today = Math.floor(clock.now() / DAY_MS);
    const byRepo = new Map(ids.map((id): [string, Activity] => [id, { downloads: new Map(), likes: new Map() }]));
    for (const { repo_id, day, downloads } of await recentDownloads(tx, ids, today - RECENT_DAYS))
      byRepo.get(repo_id)?.downloads.set(today - day, Number(downloads));
    for (const { repo_id, day, likes } of await likesByDay(tx, ids, (today - TRENDING_DAYS + 1) * DAY_MS))
      byRepo.get(repo_id)?.likes.set(today - Number(day), Number(likes));
    await setCounts(tx, new Map([...byRepo].map(([id, activity]) => [id, countsOf(activity)])));
    const last = ids.at(-1);
    return last !== undefined && ids.length === BATCH_REPOS ? { data: { repoId: last } } : 'done';
  };
