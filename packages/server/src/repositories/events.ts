import { RepoType } from '@moonbase/contract/primitives';
import { Action, domainOf, type EventPayload, Scope } from '@moonbase/contract/webhooks/payload';
import * as z from 'zod';
import type { Executor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import { defineTopic, type Topic } from '../platform/events/topic.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { readStored } from '../platform/stored-form.ts';
import { payloadRepo } from './present.ts';
import { fullName, type Repository } from './store.ts';

const OwnedName = z.object({ name: z.string(), ownerId: z.string(), ownerKind: z.enum(['user', 'org']) });

/** A payload is only checked to be an object, because payloads are large and only the hub writes them. */
const Payload = z.custom<EventPayload>((payload) => typeof payload === 'object' && payload !== null);

/** A change to a repository or to one of its discussions. */
const RepoEvent = z.object({
  scope: Scope,
  action: Action,
  actorId: z.string(),
  /** The repository after the change, as access checks and matching use it. */
  repo: OwnedName.extend({
    id: z.string(),
    type: RepoType,
    private: z.boolean(),
    /** The default serves events that are older than resource groups. */
    groupId: z.string().nullable().default(null),
  }),
  /** The name and owner before a move. */
  from: OwnedName.optional(),
  /** The id of the discussion event that records a change of status. */
  statusEventId: z.string().optional(),
  payload: Payload,
});
export type RepoEvent = z.infer<typeof RepoEvent>;
export const repoTopic = defineTopic({ name: 'repo', version: 1, data: RepoEvent });
export const discussionTopic = defineTopic({ name: 'discussion', version: 1, data: RepoEvent });

/** An access request was made and waits, or somebody decided: ids of the request, its repository, its user and the actor. */
const AccessRequestEvent = z.object({
  action: z.enum(['request', 'accept', 'reject']),
  requestId: z.string(),
  repoId: z.string(),
  userId: z.string(),
  actorId: z.string(),
});
export type AccessRequestEvent = z.infer<typeof AccessRequestEvent>;
export const accessRequestTopic = defineTopic({ name: 'access-request', version: 1, data: AccessRequestEvent });

/** Returns the topic of a scope, which is named like the domain that webhooks subscribe to. */
export const topicOf = (scope: Scope): Topic<RepoEvent> =>
  domainOf(scope) === 'discussion' ? discussionTopic : repoTopic;

/** A stored event of which only the payload matters: older sample events have nothing else. */
const StoredPayload = z.object({ payload: Payload });

/** Returns the payload of a stored event; only its `webhook` part is missing. */
export const payloadOf = (stored: string): EventPayload =>
  readStored(StoredPayload, JSON.parse(stored), 'A stored payload').payload;

interface RepoChange {
  readonly scope: Scope;
  readonly action: Action;
  /** Additional keys of the payload. */
  readonly extra?: Partial<EventPayload>;
  /** The repository as it was before a move. */
  readonly before?: Repository;
  readonly statusEventId?: string | undefined;
}

/** Records the event of a change, with the payload for receivers, in the transaction of the change. */
export function recordRepoEvent(
  events: Events,
  tx: Executor,
  caller: Caller,
  repo: Repository,
  { scope, action, extra, before, statusEventId }: RepoChange,
): Promise<string> {
  const data: RepoEvent = {
    scope,
    action,
    actorId: caller.principal.userId,
    repo: {
      id: repo.id,
      type: repo.type,
      name: fullName(repo),
      ownerId: repo.owner_id,
      ownerKind: repo.ownerKind,
      private: repo.private === 1,
      groupId: repo.resource_group_id,
    },
    ...(before && { from: { name: fullName(before), ownerId: before.owner_id, ownerKind: before.ownerKind } }),
    ...(statusEventId !== undefined && { statusEventId }),
    payload: { event: { action, scope }, repo: payloadRepo(caller.hubUrl, before ?? repo, scope), ...extra },
  };
  return events.record(tx, topicOf(scope), data);
}
