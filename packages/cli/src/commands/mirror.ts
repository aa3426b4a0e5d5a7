import { HubApiError } from '@moonbase/client/errors';
import { createMirror, deleteMirror, getMirror, type Mirror, syncMirror, updateMirror } from '@moonbase/client/mirrors';
import type { Hub } from '@moonbase/client/request';
import { type Columns, command, group } from '../program/command.ts';
import { UsageError } from '../program/failure.ts';
import { flag, number, optionalArgument, text } from '../program/parameter.ts';
import { readSecret } from '../terminal/asking.ts';
import { withProgress } from '../terminal/progress.ts';
import { styleOf } from '../terminal/style.ts';
import { detailsText } from '../terminal/table.ts';
import { sleepOf, type Terminal } from '../terminal/terminal.ts';
import { discussedType, repo, when } from './parameters.ts';

const columns: Columns<Mirror> = {
  url: ({ url }) => url,
  state: ({ state, syncing }) => (syncing ? `${state}, syncing` : state),
  progress: ({ progress }) => progress,
  error: ({ lastError }) => lastError,
  'last synced': ({ lastSyncedAt }) => when(lastSyncedAt),
  'took, ms': ({ lastDurationMs }) => lastDurationMs,
  'next sync': ({ nextSyncAt }) => when(nextSyncAt),
  'interval, s': ({ interval }) => interval,
  'on behalf of': ({ user }) => user,
  token: ({ hasToken, username }) => (hasToken ? `set, for ${username}` : 'none'),
  'skipped refs': ({ skippedRefs }) => skippedRefs.map(({ ref, reason }) => `${ref}: ${reason}`).join('; '),
};

type Type = 'model' | 'dataset' | 'space' | 'kernel';
const one = ({ repo: name }: { readonly repo: string }, { type = 'model' }: { readonly type?: Type | undefined }) => ({
  ...{ repo: name, type },
});
type One = Hub & ReturnType<typeof one>;

/** Returns the mirror of a repository; undefined if the repository is none. */
const found = (about: One): Promise<Mirror | undefined> =>
  getMirror(about).catch((error: unknown) => {
    if (error instanceof HubApiError && error.status === 404 && error.code === undefined) return undefined;
    throw error;
  });

const set = command({
  name: 'set',
  summary: 'let a repository follow a git repository elsewhere, or change how it does',
  args: { repo, url: optionalArgument('URL of the git repository; may be left out for a repository that is a mirror') },
  options: {
    type: discussedType,
    token: flag('prompt for a token for the remote, or read it from standard input'),
    removeToken: flag('remove the stored token'),
    username: text('name', 'user name that goes with the token (default: git)'),
    interval: number('seconds', 'seconds from one sync to the next'),
    overwrite: flag('replace commits, branches and tags that the repository has'),
  },
  async run({ hub, args, options, terminal }) {
    const about = { ...hub, ...one(args, options) };
    const { username, interval, overwrite } = options;
    const before = await found(about);
    if (!before && args.url === undefined) throw new UsageError('The repository is not a mirror: give a URL.');
    const token = options.token ? await readSecret('Token: ', terminal) : undefined;
    if (before)
      return updateMirror({
        ...{ ...about, url: args.url, username, interval },
        token: options.removeToken ? null : token,
      });
    return createMirror({ ...about, url: args.url ?? '', username, token, interval, overwrite });
  },
  say: ({ url }, { args }) => `${args.repo} follows ${url}. "moonbase mirror show ${args.repo}" says how far it is.\n`,
});

const show = command({
  name: 'show',
  summary: 'show what a mirror follows, and the state of its last sync',
  args: { repo },
  options: { type: discussedType },
  run: ({ hub, args, options }) => getMirror({ ...hub, ...one(args, options) }),
  columns,
});

const POLL_MS = 500;

/** Waits for the end of a sync that was asked for, and shows its progress. */
function awaitSync(about: One, asked: Mirror, terminal: Terminal): Promise<Mirror> {
  const sleep = sleepOf(terminal);
  return withProgress(terminal, async (display) => {
    for (;;) {
      const now = await getMirror(about);
      if (!now.syncing && now.nextSyncAt !== asked.nextSyncAt) return now;
      display(now.progress ?? 'Waiting');
      await sleep(POLL_MS);
    }
  });
}

const sync = command({
  name: 'sync',
  summary: 'sync a mirror now, and wait until it has ended',
  args: { repo },
  options: { type: discussedType, detach: flag('do not wait') },
  async run({ hub, args, options, terminal, end }) {
    const about = { ...hub, ...one(args, options) };
    const asked = await syncMirror(about);
    if (options.detach) return asked;
    const ended = await awaitSync(about, asked, terminal);
    if (ended.state !== 'synced') end(1);
    return ended;
  },
  say: (mirror, { terminal }) => detailsText(mirror, columns, styleOf(terminal)),
});

const remove = command({
  name: 'remove',
  summary: 'let a repository no longer follow its remote; its content stays',
  args: { repo },
  options: { type: discussedType },
  run: ({ hub, args, options }) => deleteMirror({ ...hub, ...one(args, options) }),
  say: (_, { args }) => `${args.repo} no longer follows another repository.\n`,
});

export const mirror = group('mirror', 'repositories that follow a git repository elsewhere', [set, show, sync, remove]);
