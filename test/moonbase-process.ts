import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('../packages/cli/bin/moonbase.js', import.meta.url));

export interface EndedProcess {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** The built `moonbase` command in a process of its own. */
export interface MoonbaseProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<EndedProcess>;
}

export function startMoonbase(
  args: readonly string[],
  settings: Readonly<Record<string, string | undefined>>,
): MoonbaseProcess {
  const child = spawn(process.execPath, [command, ...args], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  return { child, ended: once(child, 'close').then(([status]) => ({ status: status as number | null, out, err })) };
}

/** Runs the command to its end; throws an error with its output if it fails. */
export async function moonbase(...how: Parameters<typeof startMoonbase>): Promise<string> {
  const { status, out, err } = await startMoonbase(...how).ended;
  if (status !== 0) throw new Error(`moonbase ${how[0].join(' ')} ended with ${status}: ${err}`);
  return out;
}
