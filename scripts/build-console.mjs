// Builds the web console.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { install, readFiles, records } from './built.mjs';

const folder = fileURLToPath(new URL('../packages/console', import.meta.url));

/** Writes the compressed forms beside each file, which the hub sends as they are. */
function compress(built) {
  const assets = join(built, 'assets');
  for (const name of readdirSync(assets)) {
    const bytes = readFileSync(join(assets, name));
    writeFileSync(join(assets, `${name}.gz`), gzipSync(bytes, { level: 9 }));
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    writeFileSync(join(assets, `${name}.br`), brotliCompressSync(bytes, { params }));
  }
}

/** Runs `build` for production, whatever `NODE_ENV` is: Vite would make a development build in a test. */
async function forProduction(build) {
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  try {
    await build();
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
}

/** Builds the console into a folder; `key` is that of its sources. */
export async function buildConsole(dist, key) {
  let vite;
  try {
    vite = await import('vite');
    await import('@vitejs/plugin-react');
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    console.error('The web console is not built: install the development dependencies (npm ci)');
    return;
  }
  mkdirSync(records, { recursive: true });
  const outDir = mkdtempSync(join(records, 'console-'));
  try {
    const configFile = join(folder, 'vite.config.ts');
    const build = { outDir, emptyOutDir: true };
    await forProduction(() => vite.build({ root: folder, configFile, logLevel: 'warn', build }));
    compress(outDir);
    install('console', dist, { key, files: readFiles(outDir) });
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}
