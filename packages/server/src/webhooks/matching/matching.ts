import { nameKey } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
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

/** The webhooks that may match an event, and the time before they were read. */
interface Candidates {
  readonly candidates: readonly Candidate[];
  readonly readAt: number;
}

const found = new WeakMap<Executor, Map<string, Candidates>>();

/** Asks once in a transaction: several events of a repository are often handled together. */
async function candidatesIn(tx: Executor, topic: string, query: CandidateQuery, clock: Clock): Promise<Candidates> {
  const inTransaction = found.get(tx) ?? new Map<string, Candidates>();
  found.set(tx, inTransaction);
  const key = JSON.stringify([topic, query]);
  const known = inTransaction.get(key);
  if (known) return known;
  const readAt = clock.now();
  const read = { readAt, candidates: await candidatesOf(topic)(tx, query) };
  inTransaction.set(key, read);
  return read;
}

/**
 * Returns a page of the webhooks, by id, that were enabled and watched the repository or its owner when the event happened, and
 * whose owner may read the repository now. Watched items match by id where their name stood for something, and by name where it
 * did not; after a move the former name and owner match as well. `next` is where the next page begins, if there is one; `readAt` is
 * the time at which the webhooks were as they are returned.
 */
export async function matchingWebhooks(
  tx: Executor,
  {
    topic,
    epoch,
    data: { repo, from = repo },
  }: Pick<HubEvent<Pick<RepoEvent, 'repo' | 'from'>>, 'topic' | 'epoch' | 'data'>,
  after: string,
  { limit, clock }: { readonly limit: number; readonly clock: Clock },
) {
  const ownerKey = ({ name }: { name: string }) => nameKey(name.split('/')[0] ?? '');
  const query = {
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
  };
  const { candidates, readAt } = await candidatesIn(tx, topic, query, clock);
  return {
    readAt,
    webhooks: candidates.filter(({ matches }) => matches),
    next: candidates.length < limit ? undefined : candidates.at(-1)?.id,
  };
}
