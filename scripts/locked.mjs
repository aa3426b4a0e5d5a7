import { readFileSync } from 'node:fs';

/**
 * Returns every package in the lock file of a folder as `{ path, name, version, license, integrity, resolved, dev, own
 * }`; `own` marks packages of the project itself.
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
