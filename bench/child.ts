import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface Child extends AsyncDisposable {
  readonly pid: number;
  /** The lines that the process prints. */
  readonly lines: AsyncIterator<string>;
  /** Sends the process an event `message`. */
  tell(message: object): void;
}

/**
 * Runs a file of this folder in a process of its own, which ends with this one. A `.ts` file imports the sources, an
 * `.mjs` file the compiled packages as installed.
 */
export function startChild(file: string, args: readonly string[] = []): Child {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args, {
    execArgv: file.endsWith('.mjs') ? [] : ['--import', 'tsx', '--conditions=source'],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  if (!child.stdout || child.pid === undefined) throw new Error(`${file} cannot be run`);
  return {
    pid: child.pid,
    lines: createInterface({ input: child.stdout })[Symbol.asyncIterator](),
    tell: (message) => void child.send(message),
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
    },
  };
}

export async function nextLine(child: Child): Promise<string> {
  const { value, done } = await child.lines.next();
  if (done) throw new Error('A process of the benchmark ended before it answered');
  return value as string;
}
