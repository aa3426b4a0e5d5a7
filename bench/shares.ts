import { cpus } from 'node:os';
import { cpuSeconds, machineSeconds, postgresSeconds, postmasterOf } from './cpu.ts';
import type { Side } from './hub.ts';
import type { Replicas } from './replicas.ts';
import type { Figure } from './stats.ts';

/** The processor time of each part of a test, in seconds. */
export type Used = Readonly<Record<string, number>>;

/** The name of the processes outside the test; the figures mean little while these are busy. */
export const REST = 'everything else on the machine';

interface Shares {
  /** Returns the times since the start. */
  used(): Promise<Used>;
  /** Returns the figures of the report: the share of all processors that each part took. */
  read(prefix?: string): Promise<Figure[]>;
}

/** Counts the processor time of the replicas, of PostgreSQL if it runs on this machine, and of other processes. */
export async function startShares(
  side: Side,
  replicas: Replicas,
  others: Readonly<Record<string, number>>,
): Promise<Shares> {
  const postmaster = await postmasterOf(side);
  const parts = async (): Promise<Record<string, number>> => ({
    'API replicas': await replicas.cpu('api'),
    'worker replicas': await replicas.cpu('worker'),
    ...(postmaster !== undefined && { PostgreSQL: await postgresSeconds(postmaster) }),
    ...Object.fromEntries(
      await Promise.all(Object.entries(others).map(async ([name, pid]) => [name, await cpuSeconds(pid)] as const)),
    ),
  });
  const now = async () => {
    const seconds = await parts();
    const known = Object.values(seconds).reduce((sum, each) => sum + each, 0);
    return { ...seconds, [REST]: (await machineSeconds()) - known } as Record<string, number>;
  };
  const startedAt = performance.now();
  const before = await now();
  const used = async () =>
    Object.fromEntries(Object.entries(await now()).map(([name, seconds]) => [name, seconds - (before[name] ?? 0)]));
  return {
    used,
    async read(prefix = 'mixed') {
      const seconds = (performance.now() - startedAt) / 1000;
      return Object.entries(await used()).map(([name, taken]) => ({
        name: `${prefix}: ${name}, share of all processors`,
        value: taken / seconds / cpus().length,
        unit: 'ratio',
      }));
    },
  };
}
