import { once } from 'node:events';
import { run } from './program/program.ts';
import { prompt } from './terminal/prompt.ts';

const { stdin, stdout, stderr, env } = process;

// A reader of the output, such as `head`, may close the pipe early.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

process.exitCode = await run(process.argv.slice(2), {
  ...{ env, stdin },
  out: (text) => void stdout.write(text),
  err: (text) => void stderr.write(text),
  outBytes: async (bytes) => {
    if (!stdout.write(bytes)) await once(stdout, 'drain');
  },
  onInterrupt(listener) {
    const signals = ['SIGINT', 'SIGTERM'] as const;
    const forget = () => {
      for (const signal of signals) process.off(signal, interrupt);
    };
    // A second signal ends the process at once.
    const interrupt = () => {
      forget();
      listener();
    };
    for (const signal of signals) process.on(signal, interrupt);
    return forget;
  },
  isTerminal: stdout.isTTY,
  isErrorTerminal: stderr.isTTY,
  ...(stdin.isTTY && { ask: (question, options = {}) => prompt(question, options, { input: stdin, output: stderr }) }),
});
