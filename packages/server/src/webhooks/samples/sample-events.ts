import type { EventPayload } from '@moonbase/contract/webhooks/payload';
import type { SampleEvent } from '@moonbase/contract/webhooks/webhooks';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { badRequest } from '../../platform/http/errors.ts';
import { type RepoEvent, topicOf } from '../../repositories/index.ts';
import { repositoryColumns, UNSENT } from '../delivery/new-delivery.ts';
import { watchedBy } from '../subscriptions/store.ts';
import type { DeliveryRow } from '../tables.ts';
import { isKnownEvent, samplePayload } from './sample-payload.ts';

/** A delivery before it has its place in the queue. */
export type Drafted = Omit<DeliveryRow, 'id' | 'event_id' | 'due_at' | 'trigger_key' | 'created_at'>;

/** 400 for what the hub never sends. */
export function refuseUnknownEvent({ scope, action }: SampleEvent): void {
  if (!isKnownEvent(scope, action))
    throw badRequest(`The hub never sends ${scope} with ${action}; see the list of events in /docs`);
}

/**
 * A made-up event for a webhook: the delivery, and how its event is recorded. Nothing is looked up about the repository
 * that it names: nobody learns whether it is there.
 */
export async function draftSample(
  executor: ReadExecutor,
  caller: Caller,
  webhook: { readonly id: string; readonly lane: string },
  { scope, action, repo }: SampleEvent,
): Promise<{ row: Drafted; record: (tx: Executor, events: Events) => Promise<string> }> {
  const about = repo ?? sampleRepo(await watchedBy(executor, webhook.id), caller);
  const event = eventOf(samplePayload(caller.hubUrl, { scope, action }, about), caller.principal.userId);
  return {
    row: {
      webhook_id: webhook.id,
      lane: webhook.lane,
      kind: 'test',
      scope,
      action,
      ...UNSENT,
      ...repositoryColumns(event.repo),
    },
    record: (tx, events) => events.recordQuiet(tx, topicOf(scope), event),
  };
}

const eventOf = (payload: EventPayload, actorId: string): RepoEvent => {
  const { id, type, name, owner } = payload.repo;
  const repo = { id, type, name, ownerId: owner.id, ownerKind: 'user' as const, private: false, groupId: null };
  return { ...payload.event, actorId, repo, payload };
};

function sampleRepo(watched: readonly { type: string; name: string }[], caller: Caller) {
  const repo = watched.find((item) => item.type !== 'user' && item.type !== 'org');
  const account = watched.find((item) => item.type === 'user' || item.type === 'org');
  return {
    type: (repo?.type ?? 'model') as 'model',
    name: repo?.name ?? `${account?.name ?? caller.principal.userName}/sample`,
  };
}
