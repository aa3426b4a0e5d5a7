import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { programText } from '../../threads/limited-thread.ts';
import { launcherProgram, NUMBER_LENGTH, type Order, type Program, type Report, STREAMS } from './launcher-program.ts';

export interface LaunchedProcess {
  readonly input: Socket;
  readonly output: Socket;
  readonly errors: Socket;
  /** Resolves once the process has ended and its output has been read, with its exit code; null if a signal ended it. */
  readonly ended: Promise<number | null>;
  /** Kills the process with its children, and drops what it has written. */
  readonly kill: () => void;
}

/** Starts a program in a process group of its own. Rejects where that is impossible. */
export type Launch = (program: Program) => Promise<LaunchedProcess>;

const LIMITS = { streams: STREAMS, numberLength: NUMBER_LENGTH };
const SOURCE = programText(`(${launcherProgram.toString()})(require, ${JSON.stringify(LIMITS)})`);

/**
 * Starts programs from a small process beside the hub. To start a process, the system copies the page tables of the one
 * that asks for it, and a hub with 350 MB would stand still for 20 ms each time. The launcher hands the ends of
 * connections with the hub to the programs, so nothing that they read or write passes through it. It starts with the
 * first program, again after it was killed or its socket was deleted, and ends with the hub.
 */
export function createLaunch(): Launch {
  let launcher: Promise<Launch> | undefined;
  const start = () => {
    const started = startLauncher(() => {
      if (launcher === started) launcher = undefined;
    });
    return started;
  };
  const attempt: Launch = async (program) => {
    launcher ??= start();
    return (await launcher)(program);
  };
  return (program) =>
    attempt(program).catch((error: unknown) => {
      if (isUnreachable(error)) return attempt(program);
      throw error;
    });
}

/** Whether the socket of a launcher is gone; programs that delete old temporary files do that. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ECONNREFUSED');

interface Launched {
  begun(): void;
  ended(code: number | null): void;
  /** Called when the launcher has ended, and nobody learns any more how the process ends. */
  lost(): void;
}

/** Calls `onUseless` once no more programs can be started with the launcher. */
async function startLauncher(onUseless: () => void): Promise<Launch> {
  const launched = new Map<number, Launched>();
  let reachable = true;
  const child = spawn(process.execPath, ['-e', SOURCE], {
    env: { TMPDIR: tmpdir() },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const path = await new Promise<string>((resolve, reject) => {
    const end = (error: Error) => {
      onUseless();
      reject(error);
      for (const process of [...launched.values()]) process.lost();
    };
    child.once('error', end).once('exit', () => end(new Error('The process that starts git has ended')));
    child.on('message', (report: Report) => {
      if ('listening' in report) {
        // A launcher that is killed leaves its folder.
        child.once('exit', () => void rm(dirname(report.listening), { recursive: true, force: true }).catch(() => {}));
        resolve(report.listening);
      } else if ('started' in report) launched.get(report.started)?.begun();
      else launched.get(report.ended)?.ended(report.code);
    });
  });
  // A launcher that has no process to watch does not keep the hub alive.
  child.unref();
  child.channel?.unref();
  // An order that does not arrive is one to a launcher that has ended.
  const order = (message: Order) => void child.send(message, () => {});

  /** Called when no program is running: an idle launcher does not keep the hub alive, and one that is unreachable ends. */
  const release = () => {
    if (reachable) child.channel?.unref();
    else if (child.connected) child.disconnect();
  };

  let last = 0;
  return (program) => {
    last += 1;
    const number = last;
    const connectTo = (stream: number): Socket => {
      const socket = connect(path);
      socket.write(`${String(number).padStart(NUMBER_LENGTH, '0')}${stream}`);
      return socket;
    };
    const [input, output, errors] = [connectTo(0), connectTo(1), connectTo(2)];
    const streams = [input, output, errors];
    const kill = () => {
      if (launched.has(number)) order({ kill: number });
      // Output that nobody reads any more would keep the streams open.
      output.resume();
      errors.resume();
    };
    const closed = Promise.all(
      [output, errors].map((stream) => new Promise((resolve) => stream.once('close', resolve))),
    );

    return new Promise((resolve, reject) => {
      const fail = (error: Error) => {
        if (isUnreachable(error)) {
          reachable = false;
          onUseless();
        }
        kill();
        for (const stream of streams) stream.destroy();
        reject(error);
      };
      const exited = new Promise<number | null>((exit) => {
        const ended = (code: number | null) => {
          launched.delete(number);
          if (launched.size === 0) release();
          // A process that began has been returned already.
          reject(new Error(`${program.file} could not be started`));
          input.destroy();
          exit(code);
        };
        launched.set(number, {
          begun() {
            // A process that ends early closes its input; its exit code tells.
            for (const stream of streams) stream.off('error', fail).on('error', () => {});
            resolve({ input, output, errors, kill, ended: exited.then((code) => closed.then(() => code)) });
          },
          ended,
          lost() {
            for (const stream of streams) stream.destroy();
            ended(null);
          },
        });
      });
      for (const stream of streams) stream.on('error', fail);
      child.channel?.ref();
      order({ start: number, program });
    });
  };
}
