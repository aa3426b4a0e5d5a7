// `npm start` compiles the sources that have changed and becomes the hub in the same process, so that signals reach it directly.
import { spawnSync } from 'node:child_process';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { areBuilt } from './sources.mjs';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

if (!areBuilt()) {
  // A process of its own gives back the memory that it takes to build the console.
  const { status } = spawnSync(process.execPath, [at('build.mjs')], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
// From Node.js 22 on, compiled code is kept for the next start.
module.enableCompileCache?.(at('../node_modules/.cache/moonbase-compiled'));
await import('../packages/server/dist/main.js');
