import { nameKey } from '../../accounts/index.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import type { HubEvent } from '../../platform/events/events.ts';
import type { RepoEvent } from '../../repositories/index.ts';
import { type Candidate, type CandidateQuery, candidatesOf, groupAfterDeletion } from './candidate-store.ts';

/**
 * Returns the resource group that decides who may read a repository: the group in the event or, if that group has been
 * deleted since, the current group of the repository.
 */
async function groupOf(tx: Executor, { id, groupId }: RepoEvent['repo']): Promise<string | null> {
  if (groupId === null) return null;
  const now = await groupAfterDeletion(tx, id, groupId);
  return now ? now.groupId : groupId;
}

const found = new WeakMap<Executor, Map<string, readonly Candidate[]>>();

/** Asks once in a transaction: several events of a repository are often handled together. */
async function candidatesIn(tx: Executor, topic: string, query: CandidateQuery): Promise<readonly Candidate[]> {
  const inTransaction = found.get(tx) ?? new Map<string, readonly Candidate[]>();
  found.set(tx, inTransaction);
  const key = JSON.stringify([topic, query]);
  const candidates = inTransaction.get(key) ?? (await candidatesOf(topic)(tx, query));
  inTransaction.set(key, candidates);
  return candidates;
}

/**
 * Returns a page of the webhooks, by id, that were enabled and watched the repository or its owner when the event happened, and
 * whose owner may read the repository now. Watched items match by id where their name stood for something, and by name where it
 * did not; after a move the former name and owner match as well. `next` is where the next page begins, if there is one.
 */
export async function matchingWebhooks(
  tx: Executor,
  {
    topic,
    epoch,
    data: { repo, from = repo },
  }: Pick<HubEvent<Pick<RepoEvent, 'repo' | 'from'>>, 'topic' | 'epoch' | 'data'>,
  after: string,
  limit: number,
) {
  const ownerKey = ({ name }: { name: string }) => nameKey(name.split('/')[0] ?? '');
  const candidates = await candidatesIn(tx, topic, {
    after,
    limit,
    epoch,
    private: repo.private ? 1 : 0,
    repoId: repo.id,
    repoType: repo.type,
    repoKey: nameKey(repo.name),
    ownerId: repo.ownerId,
    groupId: await groupOf(tx, repo),
    ownerKind: repo.ownerKind,
    ownerKey: ownerKey(repo),
    oldKey: nameKey(from.name),
    oldOwnerId: from.ownerId,
    oldOwnerKind: from.ownerKind,
    oldOwnerKey: ownerKey(from),
  });
  return {
    webhooks: candidates.filter(({ matches }) => matches),
    next: candidates.length < limit ? undefined : candidates.at(-1)?.id,
  };
}
