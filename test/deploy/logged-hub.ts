import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../packages/server/dist/main.js', import.meta.url));
export const ADMIN = 'hf_administratorOfTestsMayDoAllThereIs';

/** A hub whose log is appended to a file, as a shell does with `2>>`. */
export interface LoggedHub extends AsyncDisposable {
  readonly url: string;
  readonly log: string;
  /** Returns the lines of the log, without the last one if it is not whole. */
  lines(): Record<string, unknown>[];
}

/** Parses the whole lines of a log; throws if one is no JSON. */
export const linesIn = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Starts the built hub in a folder, behind a proxy on this machine. */
export async function startLoggedHub(
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<LoggedHub> {
  const log = join(folder, 'moonbase.log');
  const file = openSync(log, 'a');
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH,
      MOONBASE_PORT: '0',
      MOONBASE_DATA_DIR: join(folder, 'data'),
      MOONBASE_ADMIN_TOKEN: ADMIN,
      MOONBASE_TRUSTED_PROXIES: '127.0.0.1',
      ...settings,
    },
    stdio: ['ignore', 'pipe', file],
  });
  closeSync(file);
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill();
    await ended;
  };
  let printed = '';
  for await (const text of child.stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    printed += String(text);
    const url = /^Moonbase is listening on (http:\S+)/m.exec(printed)?.[1];
    if (url === undefined) continue;
    child.stdout?.resume();
    return { url, log, lines: () => linesIn(readFileSync(log, 'utf8')), [Symbol.asyncDispose]: stop };
  }
  throw new Error(`The hub ended before it listened: ${readFileSync(log, 'utf8')}`);
}
