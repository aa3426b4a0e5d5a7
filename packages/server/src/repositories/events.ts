import { RepoType } from '@moonbase/contract/primitives';
import { Action, domainOf, type EventPayload, Scope } from '@moonbase/contract/webhooks/payload';
import { z } from 'zod';
import type { Executor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import { defineTopic, type Topic } from '../platform/events/topic.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { readStored } from '../platform/stored-form.ts';
import { payloadRepo } from './present.ts';
import { fullName, type Repository } from './store.ts';

const Place = z.object({ name: z.string(), ownerId: z.string(), ownerKind: z.enum(['user', 'org']) });

/** Only the hub itself writes payloads, and they are large: that one is there is all that is checked. */
const Payload = z.custom<EventPayload>((payload) => typeof payload === 'object' && payload !== null);

/** Something that happened to a repository or in one of its discussions. */
const RepoEvent = z.object({
  scope: Scope,
  action: Action,
  actorId: z.string(),
  /** As it is after the change: what access and matching look at. */
  repo: Place.extend({
    id: z.string(),
    type: RepoType,
    private: z.boolean(),
    /** Not in events of before there were groups. */
    groupId: z.string().nullable().default(null),
  }),
  /** Where it was before a move. */
  from: Place.optional(),
  /** Of a discussion whose status changed: the event that says so in it. */
  statusEventId: z.string().optional(),
  payload: Payload,
});
export type RepoEvent = z.infer<typeof RepoEvent>;
export const repoTopic = defineTopic({ name: 'repo', version: 1, data: RepoEvent });
export const discussionTopic = defineTopic({ name: 'discussion', version: 1, data: RepoEvent });

/** Their names are the domains that webhooks listen to. */
export const topicOf = (scope: Scope): Topic<RepoEvent> =>
  domainOf(scope) === 'discussion' ? discussionTopic : repoTopic;

/** Once the event of a sample had nothing but its payload. */
const Sent = z.object({ payload: Payload });

/** Returns the payload of a stored event, as it is sent but for the webhook. */
export const payloadOf = (stored: string): EventPayload =>
  readStored(Sent, JSON.parse(stored), 'A stored payload').payload;

interface Happening {
  readonly scope: Scope;
  readonly action: Action;
  /** Further keys of the payload. */
  readonly extra?: Partial<EventPayload>;
  /** The repository as it was before a move. */
  readonly before?: Repository;
  readonly statusEventId?: string | undefined;
}

/** Writes the event of a change, with its payload as receivers will get it, in the transaction of the change. */
export function recordRepoEvent(
  events: Events,
  tx: Executor,
  caller: Caller,
  repo: Repository,
  { scope, action, extra, before, statusEventId }: Happening,
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
