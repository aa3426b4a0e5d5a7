import { readFile } from 'node:fs/promises';
import type { Side } from './hub.ts';

/** The unit of `/proc` is a hundredth of a second on every Linux that runs Node.js. */
const TICKS_PER_SECOND = 100;

interface Stat {
  readonly parent: number;
  /** The seconds of the process and its threads. */
  readonly own: number;
  /** The seconds of its children that have ended. */
  readonly ended: number;
}

async function statOf(pid: number): Promise<Stat> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name of the program is in parentheses and may contain anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const seconds = (first: number) => (Number(fields[first]) + Number(fields[first + 1])) / TICKS_PER_SECOND;
  return { parent: Number(fields[1]), own: seconds(11), ended: seconds(13) };
}

/** Returns the user and system time of a process in seconds. */
export const cpuSeconds = async (pid: number): Promise<number> => (await statOf(pid)).own;

/** Returns the processor time of all processes of this machine in seconds. */
export async function machineSeconds(): Promise<number> {
  const [, user, nice, system, , , interrupts, softInterrupts] = (await readFile('/proc/stat', 'utf8')).split(/\s+/);
  const ticks = [user, nice, system, interrupts, softInterrupts].reduce((sum, part) => sum + Number(part), 0);
  return ticks / TICKS_PER_SECOND;
}

/** Returns the parent of all processes of a PostgreSQL on this machine; undefined if it runs on another machine. */
export async function postmasterOf(side: Side): Promise<number | undefined> {
  const backendPid = await side.number('select pg_backend_pid()');
  try {
    if (!(await readFile(`/proc/${backendPid}/comm`, 'utf8')).startsWith('postgres')) return undefined;
    return (await statOf(backendPid)).parent;
  } catch {
    return undefined;
  }
}

/** Returns the processor time of all processes of a PostgreSQL, including ended ones, in seconds. */
export async function postgresSeconds(postmaster: number): Promise<number> {
  const { own, ended } = await statOf(postmaster);
  const children = (await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')).trim();
  const living = await Promise.all(
    children
      .split(' ')
      .filter((pid) => pid !== '')
      // The next call counts a process that ends now among the ended ones.
      .map((pid) => cpuSeconds(Number(pid)).catch(() => 0)),
  );
  return own + ended + living.reduce((sum, seconds) => sum + seconds, 0);
}
