import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Packages of Debian in a folder below node_modules: unlike installed ones, they start no service. */
const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/moonbase-deploy-debian', import.meta.url));
const MARK = join(FOLDER, 'unpacked');
const PACKAGES = ['caddy', 'fail2ban', 'libpopt0', 'logrotate', 'nginx', 'prometheus'];

/** Returns the path of a file of the packages. */
export const fromDebian = (path: string): string => join(FOLDER, path);

/** The environment in which programs of the packages find their libraries. */
export const DEBIAN_ENVIRONMENT = {
  PATH: process.env.PATH,
  LD_LIBRARY_PATH: readLibraryFolders(),
  PYTHONPATH: fromDebian('usr/lib/python3/dist-packages'),
};

function readLibraryFolders(): string {
  const lib = fromDebian('usr/lib');
  if (!existsSync(lib)) return '';
  return readdirSync(lib)
    .filter((name) => name.endsWith('-linux-gnu'))
    .map((name) => join(lib, name))
    .join(':');
}

/** Downloads and unpacks the packages. */
export function unpackFromDebian(): void {
  const wanted = PACKAGES.join(' ');
  if (existsSync(MARK) && readFileSync(MARK, 'utf8') === wanted) return;
  rmSync(FOLDER, { recursive: true, force: true });
  const downloads = join(FOLDER, 'downloads');
  mkdirSync(downloads, { recursive: true });
  const options = { cwd: downloads, stdio: 'inherit', timeout: 600_000 } as const;
  // The user _apt, as which downloads are made, may not write into the folder of root.
  const download = () =>
    execFileSync('apt-get', ['-o', 'APT::Sandbox::User=root', '-qq', 'download', ...PACKAGES], options);
  try {
    download();
  } catch {
    execFileSync('apt-get', ['-qq', 'update'], options);
    download();
  }
  for (const file of readdirSync(downloads)) execFileSync('dpkg', ['-x', join(downloads, file), FOLDER], options);
  rmSync(downloads, { recursive: true });
  writeFileSync(MARK, wanted);
}
