// What a build has made of which sources, so that the next one builds only what is out of date.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
export const records = join(root, 'node_modules/.cache/moonbase-build');
/** A file that is younger may belong to a build in progress. */
const LEFT_OVER_MS = 60_000;

/** Returns the paths of the files in a folder, within it. */
const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));

/** A part of a package that nothing is built of. */
const NOT_SOURCES = /(^|[\\/])(dist|node_modules|test)[\\/]/;

const sourcesIn = (folder) =>
  filesIn(folder)
    .filter((file) => !NOT_SOURCES.test(file))
    .sort();

/** Returns a line for the file at a path, or for each source in a folder, with its size and when it changed. */
function stateOf(path) {
  const whole = resolve(root, path);
  const files = statSync(whole).isDirectory() ? sourcesIn(whole) : [''];
  return files
    .map((file) => {
      const { size, mtimeMs } = statSync(join(whole, file));
      return `${path} ${file} ${size} ${mtimeMs}\n`;
    })
    .join('');
}

/**
 * Returns a text that changes when one of the files, or of those in the folders, does. Paths are within the project; those in
 * the map `seen` are not looked at again, because several packages are built of the same sources.
 */
export function keyOf(paths, seen = new Map()) {
  const hash = createHash('sha256').update(process.version);
  for (const path of paths) {
    const state = seen.get(path) ?? stateOf(path);
    seen.set(path, state);
    hash.update(state);
  }
  return hash.digest('hex');
}

const recordOf = (name) => join(records, `${name}.json`);

function readRecord(name) {
  try {
    return JSON.parse(readFileSync(recordOf(name), 'utf8'));
  } catch {
    return { key: undefined, files: [] };
  }
}

/** Writes a file so that whoever reads it sees the old or the new one. */
function writeWhole(path, bytes) {
  mkdirSync(dirname(path), { recursive: true });
  const written = `${path}.${process.pid}.new`;
  writeFileSync(written, bytes);
  renameSync(written, path);
}

/** Returns whether the folder of a package has what was last built of the same sources. */
export function isBuilt(name, folder, key) {
  const record = readRecord(name);
  return record.key === key && record.files.every((file) => existsSync(join(folder, file)));
}

/**
 * Puts built files (a map of paths to bytes) into the folder of a package, one by one. The files of the build before stay,
 * unless only the new ones are wanted: a hub that runs loads parts of its program late.
 */
export function install(name, folder, { key, files, only = false }) {
  for (const [path, bytes] of files) {
    const whole = join(folder, path);
    if (!existsSync(whole) || !readFileSync(whole).equals(bytes)) writeWhole(whole, bytes);
  }
  const before = readRecord(name);
  const kept = new Set([...files.keys(), ...(only ? [] : before.files)]);
  for (const path of filesIn(folder)) {
    const whole = join(folder, path);
    const isLeftOver = only || Date.now() - statSync(whole, { throwIfNoEntry: false })?.mtimeMs > LEFT_OVER_MS;
    if (!kept.has(path) && isLeftOver) rmSync(whole, { force: true });
  }
  writeWhole(recordOf(name), JSON.stringify({ key, files: [...files.keys()] }));
}

/** Returns the files in a folder as a map of their paths to their bytes. */
export const readFiles = (folder) => new Map(filesIn(folder).map((file) => [file, readFileSync(join(folder, file))]));
