import { readdir, readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

/** A process as the kernel knows it: the same number later with another start is another process. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Ticks since the machine began. */
  readonly start: string;
}

interface Stat extends ProcessIdentity {
  /** Of a core, in hundredths of a second. */
  readonly ticks: number;
  readonly pages: number;
  readonly session: number;
  readonly alive: boolean;
}

/** Of a line of `/proc/PID/stat`: the name in parentheses may hold anything. */
export function parseStat(line: string): Stat | undefined {
  const pid = Number(/^(\d+) \(/.exec(line)?.[1]);
  const [state = '', ...fields] = line.slice(line.lastIndexOf(') ') + 2).split(' ');
  const [session, start] = [fields[2], fields[18]];
  if (!pid || session === undefined || start === undefined) return undefined;
  const ticks = Number(fields[10]) + Number(fields[11]);
  return { pid, start, session: Number(session), alive: !/^[ZXx]/.test(state), ticks, pages: Number(fields[20]) };
}

const statOf = async (pid: number | string): Promise<Stat | undefined> =>
  parseStat(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''));

/** Whether that process itself is still there; one that has ended and that nobody has asked about is not. */
export async function isAlive({ pid, start }: ProcessIdentity): Promise<boolean> {
  const stat = await statOf(pid);
  return stat !== undefined && stat.start === start && stat.alive;
}

/**
 * What is left of the session that a process began. The kernel gives the number of a session to no process while one is
 * in it: whoever has that number and another start shows that none is left.
 */
async function sessionOf({ pid, start }: ProcessIdentity): Promise<Stat[]> {
  const leader = await statOf(pid);
  if (leader && leader.start !== start) return [];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map(statOf));
  return stats.filter((stat) => stat !== undefined).filter(({ session, alive }) => session === pid && alive);
}

/** USER_HZ, which Linux has held at 100 everywhere, and the usual page. */
const TICK_MS = 10;
const PAGE_BYTES = 4096;

/** What the session of a process uses now; of what has ended in it, nothing is counted. */
export async function usageOf(leader: ProcessIdentity): Promise<{ cpuMs: number; memoryBytes: number }> {
  const members = await sessionOf(leader);
  return {
    cpuMs: members.reduce((sum, { ticks }) => sum + ticks * TICK_MS, 0),
    memoryBytes: members.reduce((sum, { pages }) => sum + pages * PAGE_BYTES, 0),
  };
}

const PAUSE_MS = 10;
const TRIES = 500;

/** Kills the session that a process began, until nothing of it is left: also what it begins meanwhile. */
export async function killSession(leader: ProcessIdentity): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const members = await sessionOf(leader);
    if (members.length === 0) return;
    for (const { pid } of members) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
    await setTimeout(PAUSE_MS);
  }
  throw new Error(`The session of process ${leader.pid} could not be ended`);
}
