/** A program with its arguments and its whole environment. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The priority of the process: 0 is that of the hub, 19 the lowest. */
  readonly niceness: number;
}

/** A message to the launcher. */
export type Order = { readonly start: number; readonly program: Program } | { readonly kill: number };

/** A message from the launcher; `code` is null for a process that a signal ended or that could not be started. */
export type Report =
  | { readonly listening: string }
  | { readonly started: number }
  | { readonly ended: number; readonly code: number | null };

/** The standard streams: input, output and errors. */
export const STREAMS = 3;
/** Each connection to the launcher begins with the number of its process, filled up with zeros, and that of its stream. */
export const NUMBER_LENGTH = 15;

/**
 * Runs in the launcher, from its source text, and therefore uses nothing but its parameters. A process starts once its
 * order and a connection for each of its streams are there; it has the connections to itself.
 */
export function launcherProgram(
  require: NodeJS.Require,
  { streams, numberLength }: { readonly streams: number; readonly numberLength: number },
): void {
  const { spawn }: typeof import('node:child_process') = require('node:child_process');
  const { mkdtempSync, rmSync, writeFileSync }: typeof import('node:fs') = require('node:fs');
  const { createServer }: typeof import('node:net') = require('node:net');
  const { setPriority, tmpdir }: typeof import('node:os') = require('node:os');

  const ordered = new Map<number, Program>();
  const connections = new Map<number, import('node:net').Socket[]>();
  const running = new Map<number, number>();
  const report = (message: Report) => {
    if (process.connected) process.send?.(message);
  };

  function startIfComplete(number: number): void {
    const program = ordered.get(number);
    const ends = connections.get(number) ?? [];
    if (!program || ends.filter(Boolean).length < streams) return;
    forget(number);
    try {
      const { file, args, environment, niceness } = program;
      const child = spawn(file, args, { env: environment, stdio: ends, detached: true });
      child.once('error', () => report({ ended: number, code: null }));
      if (child.pid === undefined) return;
      running.set(number, child.pid);
      // The channel to the hub alone keeps the launcher running.
      child.unref();
      child.once('exit', (code) => {
        running.delete(number);
        report({ ended: number, code });
      });
      lowerPriority(number, niceness);
      report({ started: number });
    } catch {
      report({ ended: number, code: null });
    } finally {
      for (const end of ends) end.destroy();
    }
  }

  function forget(number: number): void {
    ordered.delete(number);
    connections.delete(number);
  }

  function kill(number: number): void {
    const pid = running.get(number);
    if (pid === undefined) dropOrder(number);
    else killGroup(pid);
  }

  function dropOrder(number: number): void {
    for (const end of connections.get(number) ?? []) end?.destroy();
    forget(number);
    report({ ended: number, code: null });
  }

  /** Linux weighs sessions against each other first, and the priority of a process counts only within its own. */
  function lowerPriority(number: number, niceness: number): void {
    const pid = running.get(number);
    try {
      if (pid === undefined) return;
      setPriority(pid, niceness);
      writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
    } catch (error) {
      // Only root may change two sessions within 100 ms. The process may have ended, and other systems have no such file.
      if (error instanceof Error && 'code' in error && error.code === 'EAGAIN')
        setTimeout(lowerPriority, 100, number, niceness).unref();
    }
  }

  function killGroup(pid: number): void {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // The group is gone already.
    }
  }

  // Only the user of the hub may enter the folder.
  const folder = mkdtempSync(`${tmpdir()}/moonbase-git-`);
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('readable', function readHead() {
      const head: Buffer | null = socket.read(numberLength + 1);
      if (head === null) return;
      socket.off('readable', readHead);
      const number = Number(head.toString('latin1', 0, numberLength));
      const ends = connections.get(number) ?? [];
      ends[Number(head.toString('latin1', numberLength))] = socket;
      connections.set(number, ends);
      socket.once('close', () => forget(number));
      startIfComplete(number);
    });
  });
  const path = `${folder}/socket`;
  server.listen(path, () => report({ listening: path }));

  process.title = 'moonbase: starts git';
  // A signal to the whole group of the hub is for the hub, which ends this process last.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  process.on('message', (order: Order) => {
    if ('kill' in order) {
      kill(order.kill);
      return;
    }
    ordered.set(order.start, order.program);
    startIfComplete(order.start);
  });
  process.once('disconnect', () => {
    rmSync(folder, { recursive: true, force: true });
    server.close();
    for (const number of connections.keys()) dropOrder(number);
  });
}
