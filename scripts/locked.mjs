import { readFileSync } from 'node:fs';

/**
 * Every package that the lock file of a folder names, those of the project itself marked by `own`:
 * `{ path, name, version, license, integrity, resolved, dev, own }`.
 */
export function lockedPackages(folder) {
  const { packages } = JSON.parse(readFileSync(`${folder}/package-lock.json`, 'utf8'));
  return Object.entries(packages)
    .filter(([path, { link }]) => path !== '' && !link)
    .map(([path, { name, dev = false, ...locked }]) => ({
      ...{ path, dev, ...locked },
      name: name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      own: !path.includes('node_modules/'),
    }));
}
