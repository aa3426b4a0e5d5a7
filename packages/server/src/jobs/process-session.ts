import { readdir, readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

/** A process as the kernel knows it: the same number later with another start is another process. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Ticks since the machine began. */
  readonly start: string;
}

interface Stat extends ProcessIdentity {
  readonly session: number;
  readonly alive: boolean;
}

/** Of a line of `/proc/PID/stat`: the name in parentheses may hold anything. */
export function parseStat(line: string): Stat | undefined {
  const pid = Number(/^(\d+) \(/.exec(line)?.[1]);
  const [state = '', ...fields] = line.slice(line.lastIndexOf(') ') + 2).split(' ');
  const [session, start] = [fields[2], fields[18]];
  if (!pid || session === undefined || start === undefined) return undefined;
  return { pid, start, session: Number(session), alive: !/^[ZXx]/.test(state) };
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
