import { createRepo } from '@moonbase/client/repositories';
import { ACCESS_TOKEN, type BenchHub } from '../hub.ts';
import { load } from '../load.ts';
import type { Scale } from '../scale.ts';
import { type Figure, median, percentile, shown } from '../stats.ts';
import { commitBytes } from './commits.ts';

const FILES_PER_COMMIT = 10_000;
const FILES_PER_FOLDER = 500;

/** Measures the pages of recursive listings of large trees. */
export async function pagesOfTrees(hub: BenchHub, { treeFiles, rounds }: Scale): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const count of [treeFiles / 10, treeFiles]) {
    const repo = `admin/tree-${count}`;
    await fillTree(hub, repo, count);
    const pages: number[][] = [];
    for (let round = 0; round < rounds; round++) pages.push(await timesOf(hub, `${repo}/tree/main?recursive=true`));
    // The first listing reads the trees from the disk.
    const times = (rounds === 1 ? pages : pages.slice(1)).flat();
    const ends = pages.map((each) => [each[0] ?? 0, each.at(-1) ?? 0] as const);
    const name = `a page of the recursive tree of ${count.toLocaleString('en')} files`;
    figures.push({
      ...{ name: `${name}, p99`, value: percentile(times, 0.99), unit: 'ms', bound: { atMost: 25 } },
      note: `of ${times.length}: median ${shown(median(times))} ms; the first ${shown(median(ends.map(([first]) => first)))} ms, the last ${shown(median(ends.map(([, last]) => last)))} ms`,
    });
  }
  return figures;
}

/** Measures a page of 50 entries with their last commits in a repository with a long history. */
export async function pagesOfHistory(hub: BenchHub, { contentHistory, rounds }: Scale): Promise<Figure> {
  const repo = 'admin/history';
  await createRepo({ ...hub.connection, type: 'model', repo });
  const files = Array.from({ length: 50 }, (_, at) => ({ path: `a-${at}.txt`, content: `${at}\n` }));
  await load({ url: hub.url, connections: 1, requests: 1, next: () => commitBytes(hub, repo, files) });
  let at = 0;
  const next = () => commitBytes(hub, repo, [{ path: 'later/changing.txt', content: `${at++}\n` }]);
  await load({ url: hub.url, connections: 1, requests: contentHistory, next });
  const times: number[] = [];
  for (let round = 0; round < rounds * 30; round++)
    times.push(...(await timesOf(hub, `${repo}/tree/main?expand=true&limit=50`)));
  return {
    name: `50 entries with their last commits, after ${contentHistory.toLocaleString('en')} commits, p99`,
    ...{ value: percentile(times, 0.99), unit: 'ms', bound: { atMost: 80 } },
    note: `the first ${shown(times[0] ?? 0)} ms, then median ${shown(median(times.slice(1)))} ms`,
  };
}

async function fillTree(hub: BenchHub, repo: string, count: number): Promise<void> {
  await createRepo({ ...hub.connection, type: 'model', repo });
  for (let from = 0; from < count; from += FILES_PER_COMMIT) {
    const files = Array.from({ length: Math.min(FILES_PER_COMMIT, count - from) }, (_, at) => ({
      path: `folder-${Math.floor((from + at) / FILES_PER_FOLDER)}/file-${from + at}.txt`,
      content: `${from + at}\n`,
    }));
    const bytes = commitBytes(hub, repo, files);
    await load({ url: hub.url, connections: 1, requests: 1, next: () => bytes });
  }
}

/** Follows a listing page by page; returns the milliseconds of each page. */
async function timesOf(hub: BenchHub, listing: string): Promise<number[]> {
  const times: number[] = [];
  let next: string | undefined = new URL(`/api/models/${listing}`, hub.url).href;
  while (next !== undefined) {
    const startedAt = performance.now();
    const answer: Response = await fetch(next, { headers: { authorization: `Bearer ${ACCESS_TOKEN}` } });
    await answer.arrayBuffer();
    times.push(performance.now() - startedAt);
    if (!answer.ok) throw new Error(`A listing was answered with ${answer.status}`);
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  return times;
}
