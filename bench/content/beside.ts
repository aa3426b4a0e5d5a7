import { setTimeout as pause } from 'node:timers/promises';
import { getNotificationPage } from '@moonbase/client/notifications';
import { createRepo } from '@moonbase/client/repositories';
import { atPace, createBystander } from '../bystander.ts';
import { nextLine, startChild } from '../child.ts';
import type { BenchHub } from '../hub.ts';
import type { Scale } from '../scale.ts';
import { type Figure, percentile } from '../stats.ts';
import { addressOf } from './downloads.ts';

const PAGES_PER_SECOND = 50;
const QUIET_MS = 4_000;

/** Measures what another client waits for its inbox while content is written and read, to the wait without. */
export async function besideContent(hub: BenchHub, scale: Scale): Promise<Figure[]> {
  const { contentCommits, contentMebibytes } = scale;
  const reader = await createBystander(hub.connection);
  const repo = 'admin/beside';
  await createRepo({ ...hub.connection, type: 'model', repo });
  const works = [
    ['commits', [repo, String(contentCommits * 4)]],
    ['upload', [repo, String(contentMebibytes * 4)]],
    ['download', [(await addressOf(hub)).href, '']],
  ] as const;
  const p99 = async (work: () => Promise<unknown>) => {
    let isOver = false;
    const worked = work().finally(() => {
      isOver = true;
    });
    const page = () => getNotificationPage(reader);
    const times = await atPace(PAGES_PER_SECOND, () => isOver, page);
    await worked;
    return percentile(times, 0.99);
  };
  const figures: Figure[] = [];
  for (const [work, args] of works) {
    const quiet = await p99(() => pause(QUIET_MS));
    await using child = startChild('content/beside-work.ts', [hub.url.href, work, ...args]);
    await nextLine(child);
    const busy = await p99(() => {
      child.tell({});
      return nextLine(child);
    });
    figures.push({
      name: `a page of the inbox of another client beside ${work === 'commits' ? work : `one ${work}`}, p99 to without`,
      ...{ value: busy / quiet, unit: 'ratio', bound: { atMost: 2 }, rounds: [[busy, quiet]] },
      note: `${busy.toFixed(1)} ms to ${quiet.toFixed(1)} ms`,
    });
  }
  return figures;
}
