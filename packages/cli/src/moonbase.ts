import { run } from './program.ts';

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  onInterrupt(listener) {
    const signals = ['SIGINT', 'SIGTERM'] as const;
    const forget = () => {
      for (const signal of signals) process.off(signal, interrupt);
    };
    // The second one ends the process at once.
    const interrupt = () => {
      forget();
      listener();
    };
    for (const signal of signals) process.on(signal, interrupt);
    return forget;
  },
});
