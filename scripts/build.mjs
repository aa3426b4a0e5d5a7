// node scripts/build.mjs [PACKAGE…]: compiles the named packages, by default all, into their dist folders with esbuild,
// in about 0.1 s, at installation and at every start. The console takes longer and is built only when its sources are
// newer.
import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, stop } from 'esbuild';
import { buildConsole } from './build-console.mjs';

const packages = join(dirname(fileURLToPath(import.meta.url)), '../packages');

/** Returns every module of a package whose users import single modules. */
const modulesOf = (name) =>
  readdirSync(join(packages, name, 'src'), { recursive: true }).filter((file) => /(?<!\.test)\.ts$/.test(file));

const entryPoints = {
  contract: modulesOf('contract'),
  client: modulesOf('client'),
  receiver: ['index.ts', 'node.ts', 'web.ts', 'fastify.ts'],
  server: [
    'main.ts',
    'serve.ts',
    'hub.ts',
    'config.ts',
    'backup.ts',
    'git-to-bucket.ts',
    'rotate-secrets.ts',
    'setup-link.ts',
    'audit-log/chain.ts',
  ],
  cli: ['moonbase.ts'],
};

const only = process.argv.slice(2);
for (const [name, files] of Object.entries(entryPoints)) {
  if (only.length > 0 && !only.includes(name)) continue;
  const folder = join(packages, name);
  rmSync(join(folder, 'dist'), { recursive: true, force: true });
  await build({
    entryPoints: files.map((file) => join(folder, 'src', file)),
    outbase: join(folder, 'src'),
    outdir: join(folder, 'dist'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: name === 'server' || name === 'cli' ? 'node' : 'neutral',
    target: 'node20',
    // The client bundles its dependencies, so that its package has none.
    packages: name === 'client' ? 'bundle' : 'external',
    sourcemap: true,
    logLevel: 'warning',
  });
}
await stop();
if (only.length === 0 || only.includes('console')) await buildConsole();
