import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Where git is looked for: the folders of programs on Linux and macOS. */
export const GIT_PATH = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin';

const OLDEST = [2, 39] as const;

/** Stock git is missing or too old. */
export class GitUnavailable extends Error {
  override name = 'GitUnavailable';
}

let found: Promise<string> | undefined;

/** Returns the version of stock git. Throws `GitUnavailable` if it is missing or too old; looks again at the next call. */
export async function requireGit(): Promise<string> {
  found ??= findVersion();
  try {
    return await found;
  } catch (error) {
    found = undefined;
    throw error;
  }
}

async function findVersion(): Promise<string> {
  const { stdout } = await promisify(execFile)('git', ['--version'], {
    timeout: 10_000,
    env: { PATH: GIT_PATH },
  }).catch(() => {
    throw new GitUnavailable(
      `The hub has no git: clone and push need version ${OLDEST.join('.')} or later on its machine`,
    );
  });
  const [, version = '', major = '', minor = ''] = /(([0-9]+)\.([0-9]+)[^\s]*)/.exec(stdout) ?? [];
  const isOld = Number(major) < OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) < OLDEST[1]);
  if (isOld) throw new GitUnavailable(`The hub has git ${version}: clone and push need ${OLDEST.join('.')} or later`);
  return version;
}
