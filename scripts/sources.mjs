// What each package is built of, and whether it is.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBuilt, keyOf } from './built.mjs';

const packages = fileURLToPath(new URL('../packages', import.meta.url));

const compiledOf = (name) => [
  ...[`packages/${name}/src`, 'packages/contract/src'],
  ...['package-lock.json', 'scripts/build.mjs', 'scripts/notice.mjs'],
];

const SOURCES = {
  ...Object.fromEntries(['contract', 'client', 'receiver', 'server', 'cli'].map((name) => [name, compiledOf(name)])),
  console: [
    ...['packages/console', 'packages/client/src', 'packages/contract/src'],
    ...['package-lock.json', 'scripts/build-console.mjs'],
  ],
};

export const distOf = (name) => join(packages, name, 'dist');

/** Returns the packages that are installed, each with a key that changes when a source of it does. */
export function keysOfPackages() {
  const seen = new Map();
  const names = Object.keys(SOURCES).filter((name) => existsSync(join(packages, name)));
  return new Map(names.map((name) => [name, keyOf(SOURCES[name], seen)]));
}

/** Returns whether all packages are built of their sources as they are. */
export const areBuilt = () => [...keysOfPackages()].every(([name, key]) => isBuilt(name, distOf(name), key));
