import type { ApiClient } from './api-client.ts';
import type { AttemptObjects } from './attempt-objects.ts';
import { isOver } from './attempt-state.ts';
import { objectName } from './names.ts';
import type { PodObject } from './objects.ts';

interface Dependencies {
  readonly api: Pick<ApiClient, 'pause'>;
  readonly objects: AttemptObjects;
  readonly hub: string;
}

const POLL_MS = 200;
const MAX_POLLS = 150;

/**
 * Ends attempts. A running pod is ended by a deadline, because nothing else keeps its log; any other attempt is ended
 * by deleting its Job, after which the cluster creates no more pods.
 */
export function createStop({ api, objects, hub }: Dependencies) {
  /** Returns whether `isDone` became true in time. */
  async function until(isDone: () => Promise<boolean>): Promise<boolean> {
    for (let polls = 0; polls < MAX_POLLS; polls++) {
      if (await isDone()) return true;
      await api.pause(POLL_MS);
    }
    return false;
  }

  async function isOverNow(key: string): Promise<boolean> {
    const pods = await objects.podsNow(key);
    return pods.length > 0 && pods.every(isOver);
  }

  const isGone = async (key: string): Promise<boolean> =>
    (await objects.podsNow(key)).every(isOver) && (await objects.isJobMissing(key));

  return async (key: string): Promise<void> => {
    const known = await objects.podsOf(key);
    if (known.length > 0 && known.every(isOver)) return;
    const started = (await objects.podsNow(key)).filter((pod) => hasBegun(pod) && !pod.metadata.deletionTimestamp);
    for (const pod of started) await objects.giveDeadline(pod, 1);
    if (started.length > 0 && (await until(() => isOverNow(key)))) return;
    await objects.deleteJob(key, 'Foreground');
    if (!(await until(() => isGone(key)))) throw new Error(`The Job ${objectName(hub, key)} could not be ended`);
  };
}

const hasBegun = ({ status }: PodObject): boolean =>
  status?.containerStatuses?.some(({ state }) => state?.running || state?.terminated) ?? false;
