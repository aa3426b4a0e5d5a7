import type { Output } from '../runner.ts';
import type { ApiClient } from './api-client.ts';
import type { AttemptObjects } from './attempt-objects.ts';
import { isOver } from './attempt-state.ts';
import { followLog, type LogFollower } from './log-follower.ts';

/** The output of attempts, which the cluster keeps in the logs of their pods; a log is followed while it is read. */
export function createOutputs({ api, objects }: { readonly api: ApiClient; readonly objects: AttemptObjects }) {
  const followers = new Map<string, LogFollower>();

  async function close(key: string): Promise<void> {
    const follower = followers.get(key);
    followers.delete(key);
    await follower?.close();
  }

  return {
    async read(key: string, position: string, maxBytes: number): Promise<Output> {
      const [pod] = await objects.podsOf(key);
      const output = await followers.get(key)?.read(position, maxBytes);
      if (output) return output;
      // The log is not followed yet, or not from this position: the hub has just started, or its last step failed.
      await close(key);
      if (!pod) return { bytes: Buffer.alloc(0), position };
      const follower = followLog({
        api,
        path: objects.logPath(pod),
        position,
        // Without pods, nothing more will be written.
        isOver: () => objects.knownPodsOf(key).every(isOver),
      });
      followers.set(key, follower);
      return (await follower.read(position, maxBytes)) ?? { bytes: Buffer.alloc(0), position };
    },

    close,

    async closeAll(): Promise<void> {
      await Promise.all([...followers.keys()].map(close));
    },
  };
}
