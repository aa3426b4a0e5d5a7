import { boundedCache } from '../../platform/bounded-cache.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { history } from '../../platform/git/history.ts';
import type { GitRepository } from '../../platform/git/repository.ts';
import type { ReadingCaller } from '../../platform/http/authenticate.ts';
import { type RepoName, readRepo } from '../../repositories/index.ts';
import type { RepositoryObjects } from '../objects.ts';
import { presentLogged } from './present.ts';
import { type Revisions, revisionNotFound } from './revisions.ts';
import { revisionPathsIn } from './url-tail.ts';

const DEFAULT_LIMIT = 50;
const API_PARTS = 5;
/** Bounds the number of heads whose commit counts are cached. */
const MAX_CACHED = 5_000;

export interface CommitsQuery {
  readonly p?: number | undefined;
  readonly limit?: number | undefined;
  readonly formatted: boolean;
}

interface Dependencies {
  readonly read: ReadExecutor;
  readonly objects: RepositoryObjects;
  readonly revisions: Revisions;
}

/** The verb that lists commits. */
export function createCommitList({ read, objects, revisions }: Dependencies) {
  const countCache = boundedCache<string, number>(MAX_CACHED);

  /** Returns the number of commits in the history of a head; a linear history reuses a cached count. */
  async function count(repository: GitRepository, head: string): Promise<number> {
    const known = countCache.get(head);
    if (known !== undefined) return known;
    let walked = 0;
    let linear = true;
    for await (const { id, parents } of history(repository, [head])) {
      const before = linear ? countCache.get(id) : undefined;
      if (before !== undefined) {
        walked += before;
        break;
      }
      walked++;
      linear &&= parents.length < 2;
    }
    countCache.set(head, walked);
    return walked;
  }

  return async (caller: ReadingCaller, name: RepoName, { p = 0, limit = DEFAULT_LIMIT, formatted }: CommitsQuery) => {
    const repo = await readRepo(read, caller, name);
    const at = await revisions.resolve(repo, revisionPathsIn(caller.url.slice(caller.baseUrl.length), API_PARTS));
    if (at.path !== '') throw revisionNotFound(`${at.revision}/${at.path}`);
    const repository = objects.open(repo.id);
    const total = await count(repository, at.commit);
    const [from, to] = [p * limit, (p + 1) * limit];
    const items: ReturnType<typeof presentLogged>[] = [];
    let position = 0;
    if (from < total)
      for await (const commit of history(repository, [at.commit])) {
        if (position >= to) break;
        if (position++ >= from) items.push(presentLogged(commit, formatted));
      }
    return { items, total, next: to < total ? p + 1 : undefined };
  };
}
