import { run } from './program.ts';
import { prompt } from './prompt.ts';

const { stdin, stdout, stderr, env } = process;

// Who reads along, as `head`, may have seen enough.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

process.exitCode = await run(process.argv.slice(2), {
  ...{ env, stdin },
  out: (text) => void stdout.write(text),
  err: (text) => void stderr.write(text),
  isTerminal: stdout.isTTY,
  isErrorTerminal: stderr.isTTY,
  ...(stdin.isTTY && { ask: (question, options = {}) => prompt(question, options, { input: stdin, output: stderr }) }),
});
