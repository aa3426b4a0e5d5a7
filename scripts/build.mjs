// node scripts/build.mjs [PACKAGE…]: compiles the packages whose sources have changed into their dist folders with esbuild,
// in about a second, at installation and when a start finds them out of date. Packages that are named are compiled anyway, without leftovers of
// builds before.
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildConsole } from './build-console.mjs';
import { install, isBuilt } from './built.mjs';
import { noticeOf } from './notice.mjs';
import { distOf, keysOfPackages } from './sources.mjs';

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
    'verify-backup.ts',
    'rotate-secrets.ts',
    'setup-link.ts',
    'operator-access.ts',
    'audit-log/chain.ts',
  ],
  cli: () => ['moonbase.ts'],
};

/**
 * What the program of the hub leaves to Node.js: native code, libraries that a thread loads by their paths, those that few hubs
 * use, and the compilers of schemas of the framework, which the hub replaces.
 */
const LEFT_OUT_OF_HUB = [
  '@moonbase/console',
  '@napi-rs/*',
  '@node-rs/*',
  'libsql',
  'sharp',
  'markdown-it',
  'yaml',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-base',
  'nodemailer',
  'pg',
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
];

/**
 * The hub bundles its dependencies: to find, read and link 450 modules would take a third of a start. Line breaks and spaces
 * of 5 MB, which stay in memory as they are read, are left out.
 */
const HUB = {
  packages: 'bundle',
  external: LEFT_OUT_OF_HUB,
  conditions: ['source'],
  minifyWhitespace: true,
  minifySyntax: true,
  metafile: true,
  // Modules in CommonJS call it for what is not in the bundle.
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
};

/** Returns the compiled files of a package, by their paths within its dist folder. */
async function compile(name) {
  const { build } = await import('esbuild');
  const folder = join(packages, name);
  const outdir = join(folder, 'dist');
  const { outputFiles, metafile } = await build({
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
    ...(name === 'server' && HUB),
    sourcemap: true,
    // Maps name the sources: their text is not needed to tell a line of them.
    sourcesContent: false,
    logLevel: 'warning',
    write: false,
  });
  const files = new Map(outputFiles.map(({ path, contents }) => [relative(outdir, path), Buffer.from(contents)]));
  if (metafile) files.set('NOTICE', noticeOf(metafile));
  return files;
}

const named = process.argv.slice(2);
const only = named.length > 0;
let compiled = false;
for (const [name, key] of keysOfPackages()) {
  const dist = distOf(name);
  if (only ? !named.includes(name) : isBuilt(name, dist, key)) continue;
  if (name === 'console') {
    await buildConsole(dist, key);
    continue;
  }
  install(name, dist, { key, files: await compile(name), only });
  compiled = true;
}
if (compiled) await (await import('esbuild')).stop();
