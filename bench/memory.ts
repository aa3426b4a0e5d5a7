import { readFile, writeFile } from 'node:fs/promises';
import { nextLine, startChild } from './child.ts';
import { deliveriesPerSecond, watchedRepos } from './deliveries.ts';
import { startBenchHub } from './hub.ts';
import type { Scale } from './scale.ts';
import type { Figure } from './stats.ts';

/** Measures the resident memory of the hub after a number of deliveries, and after twice as many. */
export async function benchMemory({ memoryDeliveries }: Scale): Promise<Figure[]> {
  await using hub = await startBenchHub();
  await using sink = startChild('sink.ts');
  const url = await nextLine(sink);
  await watchedRepos(
    hub,
    Array.from({ length: 10 }, () => url),
  );
  await deliveriesPerSecond(hub, memoryDeliveries, 'first');
  const first = await residentMegabytes(hub.pid);
  await deliveriesPerSecond(hub, memoryDeliveries, 'second');
  const second = await residentMegabytes(hub.pid);
  const name = `memory after ${memoryDeliveries.toLocaleString('en')} deliveries`;
  return [
    { name, value: first, unit: 'MB', bound: { atMost: 300 } },
    { name: `${name}, and as many again`, value: second / first, unit: 'ratio', bound: { atMost: 1.1 } },
  ];
}

const statusOf = async (pid: number, field: 'VmRSS' | 'VmHWM'): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
};

export const residentMegabytes = (pid: number): Promise<number> => statusOf(pid, 'VmRSS');

/** Forgets the peak so far (proc(5)). */
export const resetPeak = (pid: number): Promise<void> => writeFile(`/proc/${pid}/clear_refs`, '5');

/** Returns the peak memory of the process since its start or the last reset. */
export const peakMegabytes = (pid: number): Promise<number> => statusOf(pid, 'VmHWM');
