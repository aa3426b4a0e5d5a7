// node scripts/declarations.mjs PACKAGE: writes the declarations of a package beside its compiled files, for packing,
// together with those they depend on: the client's types come from the contract, whose types come from zod.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [name = ''] = process.argv.slice(2);
/** The packages whose declarations are included, with their folders. */
const sources = name === 'client' ? { client: '.', contract: 'contract' } : { [name]: '.' };
const target = join(root, 'packages', name, 'dist');

const filesOf = (of) =>
  readdirSync(join(root, 'packages', of, 'src'), { recursive: true })
    .filter((file) => /(?<!\.test)\.ts$/.test(String(file)))
    .map((file) => `packages/${of}/src/${String(file)}`);
const filesBelow = (folder) => readdirSync(folder, { recursive: true }).map((file) => join(folder, String(file)));

/** Points relative imports to the compiled files, and imports of the contract and of zod to the copies beside them. */
function rewritten(text, file) {
  const to = (path) => {
    const short = relative(dirname(file), join(target, path)).split(sep).join('/');
    return short.startsWith('.') ? short : `./${short}`;
  };
  return text
    .replace(/(['"])(\.\.?\/[^'"]+)\.ts\1/g, '$1$2.js$1')
    .replace(/(['"])@moonbase\/contract\/([\w/-]+)\1/g, (_, quote, entry) => quote + to(`contract/${entry}.js`) + quote)
    .replace(/(['"])zod(\/v4\/core)?\1/g, (_, quote, core = '') => quote + to(`zod${core}/index.js`) + quote);
}

const folder = mkdtempSync(join(tmpdir(), 'moonbase-declarations-'));
const config = join(root, `tsconfig.declarations-${process.pid}.json`);
try {
  writeFileSync(
    config,
    JSON.stringify({
      extends: './tsconfig.json',
      compilerOptions: {
        noEmit: false,
        emitDeclarationOnly: true,
        declaration: true,
        stripInternal: true,
        rootDir: 'packages',
        outDir: folder,
      },
      include: [],
      files: Object.keys(sources).flatMap(filesOf),
    }),
  );
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', config], { stdio: 'inherit' });
  for (const [of, to] of Object.entries(sources))
    cpSync(join(folder, of, 'src'), join(target, to), { recursive: true });
  if (name === 'client') {
    const zod = join(root, 'node_modules/zod');
    const isDeclaration = (file) => !/\.\w+$/.test(file) || file.endsWith('.d.ts');
    for (const part of ['index.d.ts', 'v4/classic', 'v4/core', 'v4/locales'])
      cpSync(join(zod, part), join(target, 'zod', part), { recursive: true, filter: isDeclaration });
    cpSync(join(zod, 'LICENSE'), join(target, 'zod/LICENSE'));
  }
  for (const file of filesBelow(target).filter((path) => path.endsWith('.d.ts')))
    writeFileSync(file, rewritten(readFileSync(file, 'utf8'), file));
} finally {
  rmSync(folder, { recursive: true, force: true });
  rmSync(config, { force: true });
}
