import type { Output } from '../runner.ts';
import type { ApiClient } from './api-client.ts';
import type { AttemptObjects } from './attempt-objects.ts';
import { isOver } from './attempt-state.ts';
import { followLog, type LogFollower } from './log-follower.ts';

/** The output of attempts, by what the cluster keeps of the logs of their pods: each is followed while it is read. */
export function createOutputs({ api, objects }: { readonly api: ApiClient; readonly objects: AttemptObjects }) {
  const followers = new Map<string, LogFollower>();

  async function close(key: string): Promise<void> {
    const follower = followers.get(key);
    followers.delete(key);
    await follower?.close();
  }

  return {
    async read(key: string, position: string, most: number): Promise<Output> {
      const [pod] = await objects.podsOf(key);
      const output = await followers.get(key)?.read(position, most);
      if (output) return output;
      // Nobody follows it yet, or has what is asked for: this hub has just begun, or its last step failed.
      await close(key);
      if (!pod) return { bytes: Buffer.alloc(0), position };
      const follower = followLog({
        api,
        path: objects.logPath(pod),
        position,
        // A pod that is gone writes nothing more.
        isOver: () => objects.knownPodsOf(key).every(isOver),
      });
      followers.set(key, follower);
      return (await follower.read(position, most)) ?? { bytes: Buffer.alloc(0), position };
    },

    close,

    async closeAll(): Promise<void> {
      await Promise.all([...followers.keys()].map(close));
    },
  };
}
