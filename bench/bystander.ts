import { setTimeout as pause } from 'node:timers/promises';
import { applyHub } from '@moonbase/client/admin';
import { createDiscussion } from '@moonbase/client/discussions';
import { createRepo } from '@moonbase/client/repositories';
import type { Connection } from './hub.ts';

const TOKEN = 'hf_tokenOfTheReader';

/** Creates a client beside the measured load: the user `reader`, with a page of notifications. */
export async function createBystander(admin: Connection): Promise<Connection> {
  await applyHub({
    ...admin,
    document: { users: [{ name: 'reader', tokens: [{ name: 'bench', role: 'write', token: TOKEN }] }] },
  });
  await createRepo({ ...admin, type: 'model', repo: 'admin/talk' });
  for (let at = 0; at < 30; at++)
    await createDiscussion({
      ...admin,
      ...{ type: 'model', repo: 'admin/talk', title: `Topic ${at}`, description: 'See, @reader' },
    });
  return { ...admin, accessToken: TOKEN };
}

/** Sends requests at an even pace, without waiting for earlier answers; returns the milliseconds of each answer. */
export async function atPace(
  perSecond: number,
  isOver: () => boolean,
  ask: (at: number) => Promise<unknown>,
): Promise<number[]> {
  const times: Promise<number>[] = [];
  const beganAt = performance.now();
  for (let at = 0; !isOver(); at++) {
    const startedAt = performance.now();
    times.push(ask(at).then(() => performance.now() - startedAt));
    await pause(Math.max(1, beganAt + ((at + 1) * 1000) / perSecond - performance.now()));
  }
  return Promise.all(times);
}
