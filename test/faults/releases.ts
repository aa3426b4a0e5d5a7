import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const checkout = fileURLToPath(new URL('../..', import.meta.url));

/** A release that can be started: the script of its hub. */
export interface Release {
  readonly main: string;
  /** Runs the migrations of the release, as `moonbase migrate` does. */
  migrate(environment: Readonly<Record<string, string>>): Promise<void>;
}

/** What the next release would add: nothing that statements of this one see. */
const NEXT = `create table things_of_the_next_release (id text primary key);
alter table repositories add column next_release text;
alter table deliveries add column next_release integer not null default 0;
create index repositories_next_release on repositories (next_release) where next_release is not null;
`;

const serverOf = (folder: string): string => join(folder, 'packages/server');

const newestIn = (folder: string): string =>
  readdirSync(join(serverOf(folder), 'migrations'))
    .filter((name) => /^\d{4}-[^.]+\.sql$/.test(name))
    .sort()
    .at(-1)
    ?.replace('.sql', '') ?? '';

const releaseIn = (folder: string): Release => {
  const server = serverOf(folder);
  const script = `import(${JSON.stringify(join(server, 'dist/serve.js'))}).then((it) => it.migrateDatabase(process.env))`;
  return {
    main: join(server, 'dist/main.js'),
    async migrate(environment) {
      await run(process.execPath, ['-e', script], { env: { PATH: process.env.PATH, ...environment } });
    },
  };
};

/**
 * Returns two releases, one after the other. Without a built checkout of the previous one, this version is the previous one, and
 * the next one is this version with a further migration.
 */
export function openReleases(previous: string | undefined): {
  before: Release;
  after: Release;
  [Symbol.dispose](): void;
} {
  const folder = mkdtempSync(join(tmpdir(), 'moonbase-next-release-'));
  const server = serverOf(folder);
  mkdirSync(server, { recursive: true });
  for (const part of ['dist', 'migrations', 'package.json'])
    cpSync(join(serverOf(checkout), part), join(server, part), { recursive: true });
  for (const part of ['node_modules', 'packages/server/node_modules', 'packages/console'])
    symlinkSync(join(checkout, part), join(folder, part));
  const released = [{ version: 'the previous one', newest: newestIn(previous ?? checkout) }];
  writeFileSync(join(server, 'migrations/releases.json'), JSON.stringify(released));
  if (previous === undefined) writeFileSync(join(server, 'migrations/9000-next-release.sql'), NEXT);
  return {
    before: releaseIn(previous ?? checkout),
    after: releaseIn(folder),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}
