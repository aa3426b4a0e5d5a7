import { setTimeout as pause } from 'node:timers/promises';
import { getNotificationPage } from '@moonbase/client/notifications';
import { createRepo } from '@moonbase/client/repositories';
import { atPace, createBystander } from '../bystander.ts';
import type { BenchHub } from '../hub.ts';
import type { Scale } from '../scale.ts';
import { type Figure, percentile } from '../stats.ts';
import { commitOneByOne } from './commits.ts';
import { addressOf } from './downloads.ts';
import { fetchBytes } from './fetching.ts';
import { largeFile, put, uploadUrl } from './large-file.ts';

const PAGES_PER_SECOND = 50;
const QUIET_MS = 4_000;

/** Measures what another client waits for its inbox while content is written and read, to the wait without. */
export async function besideContent(hub: BenchHub, scale: Scale): Promise<Figure[]> {
  const { contentCommits, contentMebibytes } = scale;
  const reader = await createBystander(hub.connection);
  const repo = 'admin/beside';
  await createRepo({ ...hub.connection, type: 'model', repo });
  const token = { authorization: `Bearer ${hub.connection.accessToken}` };
  const file = largeFile(contentMebibytes);
  const works: [string, () => Promise<unknown>][] = [
    ['commits', () => commitOneByOne(hub, repo, contentCommits, 'beside')],
    ['an upload', async () => put(await uploadUrl(hub, repo, file), file)],
    ['a download', async () => fetchBytes(await addressOf(hub), token)],
  ];
  const p99 = async (work: () => Promise<unknown>) => {
    let isOver = false;
    const worked = work().finally(() => {
      isOver = true;
    });
    const times = await atPace(
      PAGES_PER_SECOND,
      () => isOver,
      () => getNotificationPage(reader),
    );
    await worked;
    return percentile(times, 0.99);
  };
  const figures: Figure[] = [];
  for (const [title, work] of works) {
    const quiet = await p99(() => pause(QUIET_MS));
    const busy = await p99(work);
    figures.push({
      name: `a page of the inbox of another client beside ${title}, p99 to without`,
      ...{ value: busy / quiet, unit: 'ratio', bound: { atMost: 2 }, rounds: [[busy, quiet]] },
    });
  }
  return figures;
}
