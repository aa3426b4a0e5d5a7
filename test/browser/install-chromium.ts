// Installs Debian's Chromium unless it exists. A failure is reported in one line, with status 1 in CI, since a CI run
// without a browser must not look like a success.
import { execFileSync } from 'node:child_process';
import { chromiumPath } from './chromium.ts';

const MAX_INSTALL_MS = 600_000;

function asRoot(...command: string[]): void {
  const [program = '', ...args] = process.getuid?.() === 0 ? command : ['sudo', '-n', ...command];
  execFileSync(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: MAX_INSTALL_MS,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}

if (chromiumPath() === undefined) {
  try {
    asRoot('apt-get', 'update');
    asRoot('apt-get', 'install', '-y', '--no-install-recommends', 'chromium');
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: Buffer };
    console.error(`Chromium cannot be installed: ${stderr?.toString().trim().split('\n').at(-1) || message}`);
    if (process.env.CI === 'true') process.exitCode = 1;
  }
}
