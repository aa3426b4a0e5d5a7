import { setTimeout as pause } from 'node:timers/promises';
import { applyHub } from '@moonbase/client/admin';
import { createDiscussion } from '@moonbase/client/discussions';
import { createRepo } from '@moonbase/client/repositories';
import type { Connection } from './hub.ts';

const TOKEN = 'hf_tokenOfTheReader';

/** Somebody who uses the hub beside what is measured: the user `reader`, with a page of notifications. */
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

/** Asks at an even pace, whether or not those before are answered; returns how long each answer took, in milliseconds. */
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
