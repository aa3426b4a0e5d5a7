import { DEFAULT_INTERVAL_SECONDS } from '@moonbase/contract/repositories/mirrors';
import { standingOf } from '../accounts/index.ts';
import type { Clock } from '../platform/clock.ts';
import { afterCommit, type Database, type ReadExecutor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { conflict } from '../platform/http/errors.ts';
import type { SecretBox } from '../platform/secrets.ts';
import { createChangeRunner, type RepoName, readRepo, updateRepo } from '../repositories/index.ts';
import type { RecordMirrorChange } from './audit.ts';
import { createEnding, noMirror } from './ending.ts';
import { plainRemoteUrl } from './policy.ts';
import { presentMirror } from './present.ts';
import { type MirrorSettings, requireEmpty, requireEnabled, requireUsable } from './requirements.ts';
import { findMirror, findShownMirror, insertMirror, updateMirror } from './store.ts';
import type { MirrorRow } from './tables.ts';
import { sealToken } from './token.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly record: RecordMirrorChange;
  readonly settings: MirrorSettings;
  /** Wakes the workers of all processes. */
  readonly nudge: () => void;
}

interface Input {
  readonly url?: string | undefined;
  readonly username?: string | undefined;
  readonly token?: string | null | undefined;
  readonly interval?: number | undefined;
}

type NewInput = Input & { readonly url: string; readonly overwrite: boolean };

/** The state of a mirror that has not been synced with its settings. */
const FRESH = { failures: 0, unfinished: 0, stopped: 0, error: null, refused: '[]', progress: null };

/** The verbs on the mirror of one repository. */
export function createMirrorVerbs({ database, clock, secretBox, record, settings, nudge }: Dependencies) {
  const { read } = database;
  const runChange = createChangeRunner(database);

  async function present(executor: ReadExecutor, id: string) {
    const mirror = await findShownMirror(executor, id);
    if (!mirror) throw noMirror();
    return presentMirror(mirror, clock.now());
  }

  /** Returns the column `token`: a new token sealed, the stored one if it stays, null if it is removed or the URL changes. */
  function tokenFor(before: Pick<MirrorRow, 'id' | 'url' | 'token'>, { token }: Input, url: string): string | null {
    if (typeof token === 'string') return sealToken(secretBox, { id: before.id, url, token });
    // A token goes to the URL alone for which it was given.
    return token === null || url !== before.url ? null : before.token;
  }

  /** Returns the columns that say on whose behalf a mirror works. */
  function actorOf({ principal }: Caller) {
    const { userId, tokenId } = standingOf(principal);
    return { user_id: userId, token_id: tokenId };
  }

  return {
    async get(caller: Caller, name: RepoName) {
      const repo = await readRepo(read, caller, name, 'repo.write');
      return present(read, repo.id);
    },

    /** Makes a repository a mirror, whose first sync is due at once. */
    async create(caller: Caller, name: RepoName, input: NewInput) {
      await readRepo(read, caller, name, 'repo.write');
      await requireUsable(settings, input);
      return runChange(caller, name, async (tx, repo) => {
        if (await findMirror(tx, repo.id)) throw conflict('The repository is a mirror already; change it with PUT');
        if (!input.overwrite) await requireEmpty(tx, repo);
        const url = plainRemoteUrl(input.url);
        const now = clock.now();
        const row: MirrorRow = {
          ...{ id: repo.id, url, username: input.username ?? 'git' },
          token: tokenFor({ id: repo.id, url, token: null }, input, url),
          interval_seconds: input.interval ?? Math.max(DEFAULT_INTERVAL_SECONDS, settings.minIntervalSeconds),
          ...{ ...actorOf(caller), created_at: now, version: 1, due_at: now },
          ...{ ...FRESH, synced_at: null, attempted_at: null, duration_ms: null },
        };
        await insertMirror(tx, row);
        await updateRepo(tx, repo.id, { mirrored: 1 });
        await record(tx, caller, repo, { before: undefined, after: row });
        afterCommit(tx, nudge);
        return present(tx, repo.id);
      });
    },

    /** Changes settings; the mirror then works on behalf of the caller. */
    async update(caller: Caller, name: RepoName, input: Input) {
      await readRepo(read, caller, name, 'repo.write');
      await requireUsable(settings, input);
      return runChange(caller, name, async (tx, repo) => {
        const before = await findMirror(tx, repo.id);
        if (!before) throw noMirror();
        const url = input.url === undefined ? before.url : plainRemoteUrl(input.url);
        const change = {
          ...{ url, username: input.username ?? before.username, token: tokenFor(before, input, url) },
          interval_seconds: input.interval ?? before.interval_seconds,
          ...{ ...actorOf(caller), version: before.version + 1, due_at: clock.now(), ...FRESH },
        };
        await updateMirror(tx, before, change);
        await record(tx, caller, repo, { before, after: { ...before, ...change } });
        afterCommit(tx, nudge);
        return present(tx, repo.id);
      });
    },

    remove(caller: Caller, name: RepoName): Promise<void> {
      const end = createEnding(record);
      return runChange(caller, name, (tx, repo) => end(tx, caller, repo));
    },

    /** Makes a mirror due now. */
    syncNow(caller: Caller, name: RepoName) {
      return runChange(caller, name, async (tx, repo) => {
        const mirror = await findMirror(tx, repo.id);
        if (!mirror) throw noMirror();
        requireEnabled(settings);
        await updateMirror(tx, mirror, { due_at: clock.now() });
        afterCommit(tx, nudge);
        return present(tx, repo.id);
      });
    },
  };
}
