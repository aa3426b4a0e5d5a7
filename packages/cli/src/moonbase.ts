import { run } from './program.ts';

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isTerminal: process.stdout.isTTY,
  isErrorTerminal: process.stderr.isTTY,
});
