import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../packages/server/dist/main.js', import.meta.url));

/** A hub in a process of its own, as operators run it. */
export interface HubProcess {
  readonly url: string;
  readonly pid: number;
  /** Returns what the hub printed to its user so far. */
  printed(): string;
  /** Returns the hub's output on standard error. */
  errors(): string;
  /** Resolves when the process has ended, for whatever reason. */
  readonly ended: Promise<unknown>;
  /** Kills the process as a power cut would, without any clean-up. */
  kill(): Promise<void>;
  /** Stops the process as an operator would; returns its exit status. */
  stop(): Promise<number | null>;
}

/**
 * Starts the built hub and waits until it listens; throws an error with its output if it ends first. `hear` is called
 * with what it says on standard error.
 */
export async function startHubProcess(
  settings: Readonly<Record<string, string>>,
  script = main,
  hear: (text: string) => void = () => {},
): Promise<HubProcess> {
  const loader = script.endsWith('.ts') ? ['--import', 'tsx'] : [];
  const child: ChildProcess = spawn(process.execPath, [...loader, script], {
    env: { PATH: process.env.PATH, MOONBASE_PORT: '0', MOONBASE_LOG_LEVEL: 'error', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
    hear(chunk.toString());
  });
  const ended = once(child, 'exit');
  let printed = '';
  const listens = new Promise<string>((resolve) => {
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk;
      const url = /^Moonbase is listening on (http:\S+).*\n/m.exec(printed)?.[1];
      if (url) resolve(url);
    });
  });
  const url = await Promise.race([listens, ended.then(() => undefined)]);
  if (url === undefined || child.pid === undefined) throw new Error(`The hub ended before it listened: ${errors}`);
  return {
    url,
    pid: child.pid,
    printed: () => printed,
    errors: () => errors,
    ended,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
      return child.exitCode;
    },
  };
}
