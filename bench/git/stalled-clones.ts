import type { Socket } from 'node:net';
import { fetchWithoutReading } from '../../packages/server/test/stalled-fetch.ts';
import type { BenchHub } from '../hub.ts';

/** Clients that ask for all objects of a repository and read nothing of the response. */
export interface StalledClones extends Disposable {
  readonly count: number;
}

/** Begins clones that stall. */
export async function stallClones(hub: BenchHub, repo: string, head: string, count: number): Promise<StalledClones> {
  const sockets: Socket[] = [];
  for (let at = 0; at < count; at++) sockets.push(await fetchWithoutReading(hub.connection, repo, head));
  return {
    count,
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
