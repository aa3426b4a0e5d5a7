import { nameKey } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import type { HubEvent } from '../../platform/events/events.ts';
import type { RepoEvent } from '../../repositories/index.ts';
import {
  type Candidate,
  type CandidateQuery,
  candidatesOf,
  candidatesOfEach,
  existingGroups,
  groupAfterDeletion,
} from './candidate-store.ts';

/** What matching needs of an event. */
type Matched = Pick<HubEvent<Pick<RepoEvent, 'repo' | 'from'>>, 'topic' | 'epoch' | 'data'>;

interface Page {
  readonly limit: number;
  readonly clock: Clock;
}

/** The webhooks that may match an event, and the time before they were read. */
interface Candidates {
  readonly candidates: readonly Candidate[];
  readonly readAt: number;
}

/** What was read in a transaction: several events are often handled together. */
interface Known {
  readonly candidates: Map<string, Candidates>;
  /** Resource groups that exist. */
  readonly groups: Set<string>;
}

const knownIn = new WeakMap<Executor, Known>();

function knownOf(tx: Executor): Known {
  const known = knownIn.get(tx) ?? { candidates: new Map(), groups: new Set() };
  knownIn.set(tx, known);
  return known;
}

/** Forgets the webhooks that were read in a transaction, because it has changed what they watch. */
export function forgetCandidates(tx: Executor): void {
  knownIn.get(tx)?.candidates.clear();
}

/**
 * Returns the resource group that decides who may read a repository: the group in the event or, if that group has been
 * deleted since, the current group of the repository.
 */
async function groupOf(tx: Executor, { id, groupId }: RepoEvent['repo']): Promise<string | null> {
  if (groupId === null || knownOf(tx).groups.has(groupId)) return groupId;
  const now = await groupAfterDeletion(tx, id, groupId);
  return now ? now.groupId : groupId;
}

const ownerKey = ({ name }: { name: string }) => nameKey(name.split('/')[0] ?? '');

const queryOf = (
  { epoch, data: { repo, from = repo } }: Matched,
  { groupId, after, limit }: Pick<CandidateQuery, 'groupId' | 'after' | 'limit'>,
): CandidateQuery => ({
  after,
  limit,
  epoch,
  private: repo.private ? 1 : 0,
  repoId: repo.id,
  repoType: repo.type,
  repoKey: nameKey(repo.name),
  ownerId: repo.ownerId,
  groupId,
  ownerKind: repo.ownerKind,
  ownerKey: ownerKey(repo),
  oldKey: nameKey(from.name),
  oldOwnerId: from.ownerId,
  oldOwnerKind: from.ownerKind,
  oldOwnerKey: ownerKey(from),
});

const keyOf = (topic: string, query: CandidateQuery): string => JSON.stringify([topic, query]);

async function candidatesIn(tx: Executor, topic: string, query: CandidateQuery, clock: Clock): Promise<Candidates> {
  const { candidates } = knownOf(tx);
  const key = keyOf(topic, query);
  const known = candidates.get(key);
  if (known) return known;
  const readAt = clock.now();
  const read = { readAt, candidates: await candidatesOf(topic)(tx, query) };
  candidates.set(key, read);
  return read;
}

/** The webhooks of an event that are read together with those of others; where there are more, the event asks for its own. */
const MAX_AHEAD = 50;

/**
 * Reads the first page of the webhooks that may match some events of one topic in one statement, for `matchingWebhooks` in the same
 * transaction.
 */
export async function readCandidatesAhead(
  tx: Executor,
  topic: string,
  events: readonly Matched[],
  { limit, clock }: Page,
): Promise<void> {
  const { candidates, groups } = knownOf(tx);
  const named = new Set(events.flatMap(({ data: { repo } }) => repo.groupId ?? []));
  if (named.size > 0) for (const id of await existingGroups(tx, [...named])) groups.add(id);
  const queries = new Map<string, CandidateQuery>();
  for (const event of events) {
    const { groupId } = event.data.repo;
    if (groupId !== null && !groups.has(groupId)) continue;
    const query = queryOf(event, { groupId, after: '', limit });
    queries.set(keyOf(topic, query), query);
  }
  if (queries.size < 2) return;
  const readAt = clock.now();
  const asked = [...queries.values()].map((query, at) => ({ ...query, at, limit: MAX_AHEAD }));
  const found = asked.map((): Candidate[] => []);
  for (const { at, ...candidate } of await candidatesOfEach(topic)(tx, { queries: JSON.stringify(asked) }))
    found[at]?.push(candidate);
  [...queries.keys()].forEach((key, at) => {
    const own = found[at] ?? [];
    if (own.length < MAX_AHEAD) candidates.set(key, { readAt, candidates: own });
  });
}

/**
 * Returns a page of the webhooks, by id, that were enabled and watched the repository or its owner when the event happened, and
 * whose owner may read the repository now. Watched items match by id where their name stood for something, and by name where it
 * did not; after a move the former name and owner match as well. `next` is where the next page begins, if there is one; `readAt` is
 * the time at which the webhooks were as they are returned.
 */
export async function matchingWebhooks(tx: Executor, event: Matched, after: string, { limit, clock }: Page) {
  const query = queryOf(event, { groupId: await groupOf(tx, event.data.repo), after, limit });
  const { candidates, readAt } = await candidatesIn(tx, event.topic, query, clock);
  return {
    readAt,
    webhooks: candidates.filter(({ matches }) => matches),
    next: candidates.length < limit ? undefined : candidates.at(-1)?.id,
  };
}
