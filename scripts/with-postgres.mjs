// node scripts/with-postgres.mjs COMMAND [ARGS…]
// Runs COMMAND with MOONBASE_TEST_POSTGRES_URL set: to what it is already, or to a PostgreSQL of its own for as long as COMMAND runs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { makeCluster } from './postgres-cluster.mjs';

const [command, ...args] = process.argv.slice(2);
let running;
let interruption;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    interruption = signal;
    // The terminal has also sent its SIGINT to COMMAND; a second one would make most tools skip their clean-up.
    if (signal === 'SIGTERM' || !process.stdin.isTTY) running?.kill(signal);
  });
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

async function main() {
  if (!command) throw new Error('Usage: node scripts/with-postgres.mjs COMMAND [ARGS…]');
  if (process.env.MOONBASE_TEST_POSTGRES_URL) return run(process.env.MOONBASE_TEST_POSTGRES_URL);

  // The cluster ends with the command, so no data has to survive a crash.
  const cluster = await makeCluster({ synchronous_commit: 'off' });
  try {
    await cluster.start();
    return interruption ? 128 + constants.signals[interruption] : await run(cluster.url);
  } finally {
    await cluster.remove();
  }
}

async function run(url) {
  running = spawn(command, args, { stdio: 'inherit', env: { ...process.env, MOONBASE_TEST_POSTGRES_URL: url } });
  try {
    const [status, signal] = await once(running, 'exit');
    return status ?? 128 + constants.signals[signal];
  } catch (error) {
    console.error(`${command} cannot be run: ${error.message}`);
    return error.code === 'ENOENT' ? 127 : 126;
  }
}
