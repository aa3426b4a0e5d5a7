// node scripts/build.mjs [PACKAGE…]: compiles the packages whose sources have changed into their dist folders with esbuild,
// in about a second, at installation and at every start. Packages that are named are compiled anyway, without leftovers of
// builds before.
import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildConsole } from './build-console.mjs';
import { install, isBuilt, keyOf } from './built.mjs';

const packages = fileURLToPath(new URL('../packages', import.meta.url));

/** Returns every module of a package whose users import single modules. */
const modulesOf = (name) =>
  readdirSync(join(packages, name, 'src'), { recursive: true }).filter((file) => /(?<!\.test)\.ts$/.test(file));

const entryPoints = {
  contract: () => modulesOf('contract'),
  client: () => modulesOf('client'),
  receiver: () => ['index.ts', 'node.ts', 'web.ts', 'fastify.ts'],
  server: () => [
    'main.ts',
    'serve.ts',
    'hub.ts',
    'config.ts',
    'backup.ts',
    'git-to-bucket.ts',
    'rotate-secrets.ts',
    'setup-link.ts',
    'operator-access.ts',
    'audit-log/chain.ts',
  ],
  cli: () => ['moonbase.ts'],
};

/** Returns the compiled files of a package, by their paths within its dist folder. */
async function compile(name) {
  const { build } = await import('esbuild');
  const folder = join(packages, name);
  const outdir = join(folder, 'dist');
  const { outputFiles } = await build({
    entryPoints: entryPoints[name]().map((file) => join(folder, 'src', file)),
    outbase: join(folder, 'src'),
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: name === 'server' || name === 'cli' ? 'node' : 'neutral',
    target: 'node20',
    // The client bundles its dependencies, so that its package has none.
    packages: name === 'client' ? 'bundle' : 'external',
    sourcemap: true,
    logLevel: 'warning',
    write: false,
  });
  return new Map(outputFiles.map(({ path, contents }) => [relative(outdir, path), Buffer.from(contents)]));
}

const named = process.argv.slice(2);
let compiled = false;
for (const name of Object.keys(entryPoints)) {
  if (!existsSync(join(packages, name)) || (named.length > 0 && !named.includes(name))) continue;
  const made = [`packages/${name}/src`, 'packages/contract/src', 'package-lock.json', 'scripts/build.mjs'];
  const key = keyOf(made);
  const dist = join(packages, name, 'dist');
  const only = named.length > 0;
  if (!only && isBuilt(name, dist, key)) continue;
  install(name, dist, { key, files: await compile(name), only });
  compiled = true;
}
if (compiled) await (await import('esbuild')).stop();
if (named.length === 0 || named.includes('console')) await buildConsole();
