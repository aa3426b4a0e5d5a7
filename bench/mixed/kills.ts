import { setTimeout as pause } from 'node:timers/promises';
import type { Replicas, Role } from '../replicas.ts';

export interface Kill {
  readonly gone: string;
  readonly role: Role;
  /** The milliseconds from the kill until the replacement listens. */
  readonly startMs: number;
}

interface Killing {
  readonly everySeconds: number;
  readonly seconds: number;
  readonly random: () => number;
  /** Called when a replica was replaced. */
  readonly replaced: () => void;
}

/** Kills one of four replicas every few seconds for the given time, and replaces each at once. */
export async function keepKilling(replicas: Replicas, killing: Killing): Promise<Kill[]> {
  const { everySeconds, seconds, random, replaced } = killing;
  const startedAt = performance.now();
  const kills: Kill[] = [];
  for (let at = everySeconds; at < seconds; at += everySeconds) {
    await pause(Math.max(0, startedAt + at * 1000 - performance.now()));
    kills.push(await replicas.replace(Math.floor(random() * 4)));
    replaced();
  }
  return kills;
}
