import { createHash } from 'node:crypto';
import { boundedCache } from '../../platform/bounded-cache.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { history } from '../../platform/git/history.ts';
import { notFound } from '../../platform/http/errors.ts';
import { BRANCH, type Repository, TAG } from '../../repositories/index.ts';
import type { RepositoryObjects } from '../objects.ts';
import { allRefs, refsNamed } from '../store.ts';
import type { Place } from './url-tail.ts';

/** Where to look: a commit, and a path below it. */
export interface At {
  readonly commit: string;
  /** As the caller named it. */
  readonly revision: string;
  readonly path: string;
}

/** Commits of repositories that a ref is known to lead to. */
const MAX_KNOWN = 20_000;
const MAX_WALKED = 100_000;
const COMMIT_ID = /^[0-9a-f]{40}$/;
const SHORT_ID = /^[0-9a-f]{7,39}$/;

export type Revisions = ReturnType<typeof createRevisions>;

export const revisionNotFound = (revision: string) => notFound(`Invalid rev id: ${revision}`, 'RevisionNotFound');

/** Finds the commits that revisions stand for: branches, tags, full refs, ids of commits that a ref leads to. */
export function createRevisions({
  read,
  objects,
}: {
  readonly read: ReadExecutor;
  readonly objects: RepositoryObjects;
}) {
  /** From which heads a commit was found: the commit counts while refs hold them. */
  const foundFrom = boundedCache<string, string>(MAX_KNOWN);

  async function leadTo(repo: Repository, heads: readonly string[], commit: string): Promise<boolean> {
    const key = createHash('sha1').update(heads.join()).digest('base64');
    if (foundFrom.get(`${repo.id} ${commit}`) === key) return true;
    let walked = 0;
    for await (const { id } of history(objects.open(repo.id), heads)) {
      if (id === commit) {
        foundFrom.set(`${repo.id} ${commit}`, key);
        return true;
      }
      if (++walked > MAX_WALKED) break;
    }
    return false;
  }

  /** Returns whether a ref leads to a commit. What is left over from refs that are gone is not shown. */
  async function isReachable(repo: Repository, commit: string): Promise<boolean> {
    const heads = [...new Set((await allRefs(read, repo.id)).map(({ sha }) => sha))].sort();
    if (heads.includes(commit)) return true;
    if (!(await objects.open(repo.id).has(commit))) return false;
    const onMain = repo.head_sha !== null && (await leadTo(repo, [repo.head_sha], commit));
    return onMain || leadTo(repo, heads, commit);
  }

  async function commitOfId(repo: Repository, revision: string): Promise<string | undefined> {
    if (COMMIT_ID.test(revision)) return (await isReachable(repo, revision)) ? revision : undefined;
    if (!SHORT_ID.test(revision)) return undefined;
    const reachable: string[] = [];
    // The first commit of a repository is not on the disk until something is written beside it.
    const heads = (await allRefs(read, repo.id)).map(({ sha }) => sha).filter((sha) => sha.startsWith(revision));
    for (const id of new Set([...heads, ...(await objects.open(repo.id).idsWithPrefix(revision))]))
      if (await isReachable(repo, id)) reachable.push(id);
    return reachable.length === 1 ? reachable[0] : undefined;
  }

  return {
    /** Returns the first of some places whose revision is one, 404 where none is. */
    async resolve(repo: Repository, places: readonly Place[]): Promise<At> {
      // Most revisions are `main` or the id of a commit: neither needs a look at names.
      const shortest = places.at(-1);
      if (shortest?.revision === 'main' && repo.head_sha !== null) return { ...shortest, commit: repo.head_sha };
      if (shortest && COMMIT_ID.test(shortest.revision)) {
        const commit = await commitOfId(repo, shortest.revision);
        if (commit !== undefined) return { ...shortest, commit };
      }
      const namesOf = ({ revision }: Place) => [BRANCH + revision, TAG + revision, revision];
      const refs = new Map((await refsNamed(read, repo.id, places.flatMap(namesOf))).map(({ ref, sha }) => [ref, sha]));
      for (const place of places) {
        const name = namesOf(place).find((each) => refs.has(each));
        const commit = name === undefined ? undefined : refs.get(name);
        if (commit !== undefined) return { ...place, commit };
      }
      if (shortest?.revision === 'HEAD' && repo.head_sha !== null) return { ...shortest, commit: repo.head_sha };
      const commit = shortest && (await commitOfId(repo, shortest.revision));
      if (shortest && commit !== undefined) return { ...shortest, commit };
      throw revisionNotFound(places.at(-1)?.revision ?? '');
    },
  };
}
