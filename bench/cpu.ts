import { readFile } from 'node:fs/promises';
import type { Side } from './hub.ts';

/** In `/proc`, Linux counts in hundredths of a second wherever Node.js runs. */
const TICKS_PER_SECOND = 100;

interface Stat {
  readonly parent: number;
  /** Seconds of the process and its threads. */
  readonly own: number;
  /** Seconds of its children that have ended. */
  readonly ended: number;
}

async function statOf(pid: number): Promise<Stat> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name of the program stands in parentheses and may hold anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const seconds = (first: number) => (Number(fields[first]) + Number(fields[first + 1])) / TICKS_PER_SECOND;
  return { parent: Number(fields[1]), own: seconds(11), ended: seconds(13) };
}

/** Seconds of processor time that a process has taken, user and system. */
export const cpuSeconds = async (pid: number): Promise<number> => (await statOf(pid)).own;

/** Seconds of processor time that everything on this machine has taken. */
export async function machineSeconds(): Promise<number> {
  const [, user, nice, system, , , interrupts, softInterrupts] = (await readFile('/proc/stat', 'utf8')).split(/\s+/);
  const ticks = [user, nice, system, interrupts, softInterrupts].reduce((sum, part) => sum + Number(part), 0);
  return ticks / TICKS_PER_SECOND;
}

/** The process that all processes of a PostgreSQL on this machine come from; undefined where it runs elsewhere. */
export async function postmasterOf(side: Side): Promise<number | undefined> {
  const backend = await side.number('select pg_backend_pid()');
  try {
    if (!(await readFile(`/proc/${backend}/comm`, 'utf8')).startsWith('postgres')) return undefined;
    return (await statOf(backend)).parent;
  } catch {
    return undefined;
  }
}

/** Seconds of processor time of a PostgreSQL with all its processes, also those that have ended. */
export async function postgresSeconds(postmaster: number): Promise<number> {
  const { own, ended } = await statOf(postmaster);
  const children = (await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')).trim();
  const living = await Promise.all(
    children
      .split(' ')
      .filter((pid) => pid !== '')
      // One that has just ended is among the ended ones the next time.
      .map((pid) => cpuSeconds(Number(pid)).catch(() => 0)),
  );
  return own + ended + living.reduce((sum, seconds) => sum + seconds, 0);
}
