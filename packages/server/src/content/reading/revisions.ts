import { createHash } from 'node:crypto';
import { boundedCache } from '../../platform/bounded-cache.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { history } from '../../platform/git/history.ts';
import { notFound } from '../../platform/http/errors.ts';
import { BRANCH, type Repository, TAG } from '../../repositories/index.ts';
import type { RepositoryObjects } from '../objects.ts';
import { allRefs, refsNamed } from '../store.ts';
import type { RevisionPath } from './url-tail.ts';

/** A resolved commit and a path below it. */
export interface ResolvedPath {
  readonly commit: string;
  /** The revision as the caller named it. */
  readonly revision: string;
  readonly path: string;
}

/** Bounds the cache of commits that are known to be reachable. */
const MAX_CACHED = 20_000;
const MAX_WALKED = 100_000;
const COMMIT_ID = /^[0-9a-f]{40}$/;
const SHORT_ID = /^[0-9a-f]{7,39}$/;

export type Revisions = ReturnType<typeof createRevisions>;

export const revisionNotFound = (revision: string) => notFound(`Invalid rev id: ${revision}`, 'RevisionNotFound');

/** Resolves revisions to commits: branches, tags, full refs, and ids of commits that are reachable from a ref. */
export function createRevisions({
  read,
  objects,
}: {
  readonly read: ReadExecutor;
  readonly objects: RepositoryObjects;
}) {
  /** Maps a commit to a hash of the heads that it was found from; an entry is valid while the heads are the same. */
  const reachableFrom = boundedCache<string, string>(MAX_CACHED);

  async function isReachableFrom(repo: Repository, heads: readonly string[], commit: string): Promise<boolean> {
    const key = createHash('sha1').update(heads.join()).digest('base64');
    if (reachableFrom.get(`${repo.id} ${commit}`) === key) return true;
    let walked = 0;
    for await (const { id } of history(objects.open(repo.id), heads)) {
      if (id === commit) {
        reachableFrom.set(`${repo.id} ${commit}`, key);
        return true;
      }
      if (++walked > MAX_WALKED) break;
    }
    return false;
  }

  /** Returns whether a commit is reachable from a ref; leftovers of deleted refs are not shown. */
  async function isReachable(repo: Repository, commit: string): Promise<boolean> {
    const heads = [...new Set((await allRefs(read, repo.id)).map(({ sha }) => sha))].sort();
    if (heads.includes(commit)) return true;
    if (!(await objects.open(repo.id).has(commit))) return false;
    const onMain = repo.head_sha !== null && (await isReachableFrom(repo, [repo.head_sha], commit));
    return onMain || isReachableFrom(repo, heads, commit);
  }

  async function commitOfId(repo: Repository, revision: string): Promise<string | undefined> {
    if (COMMIT_ID.test(revision)) return (await isReachable(repo, revision)) ? revision : undefined;
    if (!SHORT_ID.test(revision)) return undefined;
    const reachable: string[] = [];
    // The root commit is not on the disk until the first other commit is written.
    const heads = (await allRefs(read, repo.id)).map(({ sha }) => sha).filter((sha) => sha.startsWith(revision));
    for (const id of new Set([...heads, ...(await objects.open(repo.id).idsWithPrefix(revision))]))
      if (await isReachable(repo, id)) reachable.push(id);
    return reachable.length === 1 ? reachable[0] : undefined;
  }

  return {
    /** Resolves the first candidate whose revision exists. Throws 404 if none does. */
    async resolve(repo: Repository, candidates: readonly RevisionPath[]): Promise<ResolvedPath> {
      // Most revisions are `main` or the id of a commit, which need no look-up of names.
      const shortest = candidates.at(-1);
      if (shortest?.revision === 'main' && repo.head_sha !== null) return { ...shortest, commit: repo.head_sha };
      if (shortest && COMMIT_ID.test(shortest.revision)) {
        const commit = await commitOfId(repo, shortest.revision);
        if (commit !== undefined) return { ...shortest, commit };
      }
      const namesOf = ({ revision }: RevisionPath) => [BRANCH + revision, TAG + revision, revision];
      const refs = new Map(
        (await refsNamed(read, repo.id, candidates.flatMap(namesOf))).map(({ ref, sha }) => [ref, sha]),
      );
      for (const candidate of candidates) {
        const name = namesOf(candidate).find((each) => refs.has(each));
        const commit = name === undefined ? undefined : refs.get(name);
        if (commit !== undefined) return { ...candidate, commit };
      }
      if (shortest?.revision === 'HEAD' && repo.head_sha !== null) return { ...shortest, commit: repo.head_sha };
      const commit = shortest && (await commitOfId(repo, shortest.revision));
      if (shortest && commit !== undefined) return { ...shortest, commit };
      throw revisionNotFound(candidates.at(-1)?.revision ?? '');
    },
  };
}
