import { revisionNotFound } from '../../content/index.ts';
import { boundedCache } from '../../platform/bounded-cache.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import { HubError } from '../../platform/http/errors.ts';
import type { Ids } from '../../platform/ids.ts';
import { RemoteFault } from '../../platform/outbound/remote/fault.ts';
import { toJson } from '../../platform/stored-form.ts';
import { segmentOf } from '../../repositories/index.ts';
import type { UpstreamClient } from '../remote/client.ts';
import { createJoining } from '../remote/joining.ts';
import type { Patience } from '../remote/patience.ts';
import type { UpstreamRepoRow, UpstreamType } from '../tables.ts';
import {
  deleteRevision,
  findCommit,
  findRevision,
  findUpstreamRepo,
  markGone,
  putAnswer,
  putRevision,
  putUpstreamRepo,
  touchCommit,
} from './facts-store.ts';
import { factsIn, infoOf, type UpstreamInfo } from './info.ts';

/** A name at the upstream. */
export interface UpstreamName {
  readonly type: UpstreamType;
  /** namespace/name */
  readonly name: string;
}

export interface FactParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly client: UpstreamClient;
  readonly patience: Patience;
  readonly freshMs: number;
}

/** The question whose answer is the info without options. */
export const INFO = 'info';
const MAX_MISSING = 20_000;
const MAX_MISSING_MS = 60_000;
const DAY_MS = 24 * 60 * 60 * 1000;

export const apiPath = ({ type, name }: UpstreamName, rest = ''): string => `/api/${segmentOf(type)}/${name}${rest}`;

export const COMMIT_ID = /^[0-9a-f]{40}$/;

export type UpstreamRepos = ReturnType<typeof createUpstreamRepos>;

/** Finds repositories of the upstream and commits of their revisions; remembers both, and asks again after a while. */
export function createUpstreamRepos({ database, clock, ids, client, patience, freshMs }: FactParts) {
  /** Names and revisions that the upstream did not have a moment ago, and until when the hub relies on that. */
  const missing = boundedCache<string, number>(MAX_MISSING);
  const joinRepo = createJoining<UpstreamRepoRow | 'missing'>();
  const joinRevision = createJoining<string>();
  const isFresh = (checkedAt: number) => clock.now() - checkedAt < freshMs;
  const isMissing = (key: string) => (missing.get(key) ?? 0) > clock.now();
  const noteMissing = (key: string) => missing.set(key, clock.now() + Math.min(freshMs, MAX_MISSING_MS));

  /** Asks about a repository and records what the upstream says. */
  async function checkRepo({ type, name }: UpstreamName): Promise<UpstreamRepoRow | 'missing'> {
    const { status, json } = await client.get(apiPath({ type, name }));
    const nameKey = name.toLowerCase();
    const now = clock.now();
    if (status === 401 || status === 403 || status === 404) {
      noteMissing(`${type} ${nameKey}`);
      if (await findUpstreamRepo(database.read, type, nameKey))
        await database.transaction((tx) => markGone(tx, type, nameKey, now));
      return 'missing';
    }
    const info = status === 200 ? factsIn(json) : undefined;
    if (!info) throw new RemoteFault(`It describes the repository in a form that is not known (status ${status})`);
    return database.transaction(async (tx) => {
      const row = await putUpstreamRepo(tx, {
        ...{ id: ids(), type, name_key: nameKey, name: info.name, state: info.isOpen ? 'open' : 'closed' },
        ...{ checked_at: now, used_at: now },
      });
      const at = { repo_id: row.id, commit_id: info.commit };
      await putRevision(tx, { ...at, revision: 'main', checked_at: now });
      await touchCommit(tx, at, now);
      const answer = infoOf(json, row.id);
      if (answer) await putAnswer(tx, { ...at, question: INFO, answer: toJson(answer), next: null, fetched_at: now });
      return row;
    });
  }

  async function askRevision(repo: UpstreamRepoRow, revision: string): Promise<UpstreamInfo> {
    const { status, code, json } = await client.get(apiPath(repo, `/revision/${encodeURIComponent(revision)}`));
    if (status === 404 && code !== 'RepoNotFound') throw revisionNotFound(revision);
    const info = status === 200 ? factsIn(json) : undefined;
    if (!info) throw new RemoteFault(`It describes a revision in a form that is not known (status ${status})`);
    // An id of a commit names itself; whoever asks for one gets no other content.
    if (COMMIT_ID.test(revision) && info.commit !== revision) throw revisionNotFound(revision);
    return info;
  }

  async function checkRevision(repo: UpstreamRepoRow, revision: string): Promise<string> {
    const { commit } = await askRevision(repo, revision).catch(async (error: unknown) => {
      if (isRevisionNotFound(error)) {
        noteMissing(`${repo.id} ${revision}`);
        if (await findRevision(database.read, repo.id, revision))
          await database.transaction((tx) => deleteRevision(tx, repo.id, revision));
      }
      throw error;
    });
    const at = { repo_id: repo.id, commit_id: commit };
    await database.transaction(async (tx) => {
      await putRevision(tx, { ...at, revision, checked_at: clock.now() });
      await touchCommit(tx, at, clock.now());
    });
    return commit;
  }

  return {
    isFresh,

    /** Returns a repository of the upstream; undefined if there is none. Throws 504 if nobody knows. */
    async find(name: UpstreamName): Promise<UpstreamRepoRow | undefined> {
      const key = `${name.type} ${name.name.toLowerCase()}`;
      if (isMissing(key)) return undefined;
      const known = await findUpstreamRepo(database.read, name.type, name.name.toLowerCase());
      if (known && isFresh(known.checked_at)) return known.state === 'gone' ? undefined : known;
      const check = () => joinRepo(key, () => checkRepo(name));
      const found =
        known && known.state !== 'gone'
          ? ((await patience.hope(check)) ?? known)
          : await patience.need(name.name, check);
      return found === 'missing' ? undefined : found;
    },

    /** Returns the commit of a revision. Throws 404 `RevisionNotFound` if there is none, 504 if nobody knows. */
    async commitOf(repo: UpstreamRepoRow, revision: string): Promise<string> {
      if (isMissing(`${repo.id} ${revision}`)) throw revisionNotFound(revision);
      const known = await findRevision(database.read, repo.id, revision);
      // `main` is asked for with the repository.
      const isSettled = known && (COMMIT_ID.test(revision) || revision === 'main' || isFresh(known.checked_at));
      if (isSettled) return known.commit_id;
      const check = () => joinRevision(`${repo.id} ${revision}`, () => checkRevision(repo, revision));
      if (!known) return patience.need(`The revision ${revision} of ${repo.name}`, check);
      return (await patience.hope(check)) ?? known.commit_id;
    },

    /** Notes that facts of a commit, or with an empty one of the repository, are in use; at most once a day. */
    async use(at: { readonly repo_id: string; readonly commit_id: string }): Promise<{ readonly bytes: number }> {
      const known = await findCommit(database.read, at);
      if (known && clock.now() - known.used_at < DAY_MS) return known;
      await database.transaction((tx) => touchCommit(tx, at, clock.now()));
      return { bytes: known?.bytes ?? 0 };
    },
  };
}

export const isRevisionNotFound = (error: unknown): boolean =>
  error instanceof HubError && error.extra.code === 'RevisionNotFound';
