import { revisionNotFound } from '../../content/index.ts';
import { OBJECT_ID } from '../../platform/git/objects/object.ts';
import { HubError } from '../../platform/http/errors.ts';
import { RemoteFault } from '../../platform/outbound/remote/fault.ts';
import { createJoining } from '../remote/joining.ts';
import type { Patience } from '../remote/patience.ts';
import type { UpstreamRepoRow } from '../tables.ts';
import { createAbsences } from './absences.ts';
import { apiPath, createChecking, type FactParts, type UpstreamName } from './checking.ts';
import {
  type CommitKey,
  deleteRevision,
  findCommit,
  findRevision,
  findUpstreamRepo,
  putRevision,
  touchCommit,
} from './facts-store.ts';
import { factsIn } from './info.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

interface Dependencies extends FactParts {
  readonly patience: Patience;
  readonly freshMs: number;
  readonly readsGated: boolean;
}

export type UpstreamRepos = ReturnType<typeof createUpstreamRepos>;

/** Finds repositories of the upstream and commits of their revisions; remembers both, and asks again after a while. */
export function createUpstreamRepos({ patience, freshMs, readsGated, ...parts }: Dependencies) {
  const { database, clock, client } = parts;
  const absences = createAbsences({ clock, freshMs });
  const checkRepo = createChecking({ ...parts, readsGated });
  const joinRepo = createJoining<UpstreamRepoRow | 'missing'>();
  const joinRevision = createJoining<string>();
  const isFresh = (checkedAt: number) => clock.now() - checkedAt < freshMs;

  async function askRevision(repo: UpstreamRepoRow, revision: string): Promise<string> {
    const { status, code, json } = await client.get(apiPath(repo, `/revision/${encodeURIComponent(revision)}`));
    if (status === 404 && code !== 'RepoNotFound') throw revisionNotFound(revision);
    const info = status === 200 ? factsIn(json) : undefined;
    if (!info) throw new RemoteFault(`It describes a revision in a form that is not known (status ${status})`);
    // The id of a commit names that commit and no other.
    if (OBJECT_ID.test(revision) && info.commit !== revision) throw revisionNotFound(revision);
    return info.commit;
  }

  async function checkRevision(repo: UpstreamRepoRow, revision: string): Promise<string> {
    const commit = await askRevision(repo, revision).catch(async (error: unknown) => {
      if (isRevisionNotFound(error)) {
        absences.note(`${repo.id} ${revision}`);
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

    /**
     * Returns a repository of the upstream that the caller may read about; undefined if there is none, and alike if it is
     * hidden from the caller. Throws 504 if nobody knows.
     */
    async find(name: UpstreamName, mayRead: (repo: UpstreamRepoRow) => boolean): Promise<UpstreamRepoRow | undefined> {
      const key = `${name.type} ${name.name.toLowerCase()}`;
      const known = await findUpstreamRepo(database.read, name.type, name.name.toLowerCase());
      const readable = known && mayRead(known) ? known : undefined;
      if (readable && isFresh(readable.checked_at)) return readable;
      // Whether the hub knows something that the caller may not read must not show while the upstream is away.
      if (!readable && absences.has(key)) return undefined;
      const check = () => joinRepo(key, () => checkRepo(name));
      const found = readable ? ((await patience.hope(check)) ?? readable) : await patience.need(name.name, check);
      if (found !== 'missing' && mayRead(found)) return found;
      absences.note(key);
      return undefined;
    },

    /** Returns the commit of a revision. Throws 404 `RevisionNotFound` if there is none, 504 if nobody knows. */
    async commitOf(repo: UpstreamRepoRow, revision: string): Promise<string> {
      if (absences.has(`${repo.id} ${revision}`)) throw revisionNotFound(revision);
      const known = await findRevision(database.read, repo.id, revision);
      // `main` is asked for with the repository.
      const isSettled = known && (OBJECT_ID.test(revision) || revision === 'main' || isFresh(known.checked_at));
      if (isSettled) return known.commit_id;
      const check = () => joinRevision(`${repo.id} ${revision}`, () => checkRevision(repo, revision));
      if (!known) return patience.need(`The revision ${revision} of ${repo.name}`, check);
      return (await patience.hope(check)) ?? known.commit_id;
    },

    /** Notes that facts of a commit, or with an empty one of the repository, are in use; at most once a day. */
    async use(at: CommitKey): Promise<{ readonly bytes: number }> {
      const known = await findCommit(database.read, at);
      if (known && clock.now() - known.used_at < DAY_MS) return known;
      await database.transaction((tx) => touchCommit(tx, at, clock.now()));
      return { bytes: known?.bytes ?? 0 };
    },
  };
}

export const isRevisionNotFound = (error: unknown): boolean =>
  error instanceof HubError && error.extra.code === 'RevisionNotFound';
