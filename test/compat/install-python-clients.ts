// Installs the missing Python clients, each into a virtual environment of its own below node_modules. A failure is
// reported in one line, with status 1, since a run without the clients must not look like a success.
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import {
  environmentOf,
  markOf,
  PYTHON_ENVIRONMENTS,
  type PythonEnvironment,
  programOf,
  requirementsOf,
} from './python-clients.ts';

const USABLE = 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))';
const MAX_INSTALL_MS = 600_000;

/** Runs a program; returns the last line of its error output, or undefined if it succeeds. */
function complaint(program: string, args: string[]): string | undefined {
  try {
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8', timeout: MAX_INSTALL_MS });
    return undefined;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    return stderr?.trim().split('\n').at(-1) || message;
  }
}

function install(client: PythonEnvironment): string | undefined {
  if (existsSync(markOf(client))) return undefined;
  if (complaint('python3', ['-c', USABLE]) !== undefined)
    return 'Python 3.10 or newer with venv was not found as `python3` (Debian: apt-get install python3-venv).';
  const folder = environmentOf(client);
  rmSync(folder, { recursive: true, force: true });
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirementsOf(client)];
  const fault = complaint('python3', ['-m', 'venv', folder]) ?? complaint(programOf(client, 'python'), pip);
  if (fault !== undefined) return `the Python client "${client}" cannot be installed: ${fault}`;
  writeFileSync(markOf(client), '');
  return undefined;
}

/** Those that are named; without names, those of the compat tests. */
const named = process.argv.slice(2) as PythonEnvironment[];
for (const client of named.length > 0 ? named : PYTHON_ENVIRONMENTS) {
  const fault = install(client);
  if (fault === undefined) continue;
  console.error(`npm run test:compat: ${fault}`);
  process.exitCode = 1;
  break;
}
