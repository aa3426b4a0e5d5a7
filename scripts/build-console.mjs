// Builds the web console into packages/console/dist when a source is newer than the last build.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'packages/console');
const dist = join(folder, 'dist');
const MADE_OF = ['packages/console', 'packages/client/src', 'packages/contract/src', 'package-lock.json'];

/** Returns the time of the newest change of the sources; folders count too, since a file may have been removed. */
function newest(path) {
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  const entries = readdirSync(path).filter((name) => name !== 'dist' && name !== 'node_modules' && name !== 'test');
  // The build itself changes the folder of the package.
  return Math.max(path === folder ? 0 : mtimeMs, ...entries.map((name) => newest(join(path, name))));
}

/** Writes the compressed forms beside each file, which the hub sends as they are. */
function compress() {
  const assets = join(dist, 'assets');
  for (const name of readdirSync(assets)) {
    const bytes = readFileSync(join(assets, name));
    writeFileSync(join(assets, `${name}.gz`), gzipSync(bytes, { level: 9 }));
    const params = { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    writeFileSync(join(assets, `${name}.br`), brotliCompressSync(bytes, { params }));
  }
}

export async function buildConsole() {
  const built = join(dist, 'index.html');
  const mark = join(dist, 'complete');
  if (!existsSync(folder)) return;
  if (existsSync(built) && existsSync(mark)) {
    if (MADE_OF.every((path) => newest(join(root, path)) < statSync(mark).mtimeMs)) return;
  }
  let vite;
  try {
    vite = await import('vite');
    await import('@vitejs/plugin-react');
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    console.error('The web console is not built: install the development dependencies (npm ci)');
    return;
  }
  await vite.build({ root: folder, configFile: join(folder, 'vite.config.ts'), logLevel: 'warn' });
  compress();
  writeFileSync(mark, '');
}
