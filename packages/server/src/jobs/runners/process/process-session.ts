import { readdir, readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { codeOf } from '../../../platform/error-text.ts';

/** Identifies a process: the kernel may reuse the number later, but with another start time. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Ticks between the start of the machine and that of the process. */
  readonly start: string;
}

interface Stat extends ProcessIdentity {
  /** Time of one core, in hundredths of a second. */
  readonly ticks: number;
  /** Pages of memory. */
  readonly pages: number;
  readonly session: number;
  readonly alive: boolean;
}

/** Parses a line of `/proc/PID/stat`, where the name in parentheses may hold any character. */
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

/** Returns whether a process still runs; a zombie does not. */
export async function isAlive({ pid, start }: ProcessIdentity): Promise<boolean> {
  const stat = await statOf(pid);
  return stat !== undefined && stat.start === start && stat.alive;
}

/**
 * Returns the remaining processes of a session. The kernel reuses the number of a session only when no process is left
 * in it, so a process with that number but another start time shows that the session is over.
 */
async function sessionOf({ pid, start }: ProcessIdentity): Promise<Stat[]> {
  const leader = await statOf(pid);
  if (leader && leader.start !== start) return [];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map(statOf));
  return stats.filter((stat) => stat !== undefined).filter(({ session, alive }) => session === pid && alive);
}

/** USER_HZ is 100 on every Linux. */
const TICK_MS = 10;
/** The usual size of a page. */
const PAGE_BYTES = 4096;

/** Returns the resource usage of the running processes of a session. */
export async function usageOf(leader: ProcessIdentity): Promise<{ cpuMs: number; memoryBytes: number }> {
  const members = await sessionOf(leader);
  return {
    cpuMs: members.reduce((sum, { ticks }) => sum + ticks * TICK_MS, 0),
    memoryBytes: members.reduce((sum, { pages }) => sum + pages * PAGE_BYTES, 0),
  };
}

const PAUSE_MS = 10;
const MAX_ROUNDS = 500;

/** Kills the processes of a session until none is left, including those that start meanwhile. */
export async function killSession(leader: ProcessIdentity): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const members = await sessionOf(leader);
    if (members.length === 0) return;
    for (const { pid } of members) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch (error) {
        if (codeOf(error) !== 'ESRCH') throw error;
      }
    }
    await setTimeout(PAUSE_MS);
  }
  throw new Error(`The session of process ${leader.pid} could not be ended`);
}
