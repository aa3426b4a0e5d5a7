// Installs the linters of deploy/, which are Python packages, Podman, which podman-compose requires, and the programs that the
// examples configure, from Debian.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { installPodman } from '../jobs/podman.ts';
import { unpackFromDebian } from './debian.ts';
import { ENVIRONMENT, MARK, REQUIREMENTS, tool } from './tools.ts';

const wanted = readFileSync(REQUIREMENTS, 'utf8');
if (!existsSync(MARK) || readFileSync(MARK, 'utf8') !== wanted) {
  rmSync(ENVIRONMENT, { recursive: true, force: true });
  const options = { stdio: 'inherit', timeout: 600_000 } as const;
  execFileSync('python3', ['-m', 'venv', ENVIRONMENT], options);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', REQUIREMENTS];
  execFileSync(tool('python'), pip, options);
  writeFileSync(MARK, wanted);
}
await installPodman();
unpackFromDebian();
