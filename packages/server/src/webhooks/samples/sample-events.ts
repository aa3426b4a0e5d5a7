import type { EventPayload } from '@moonbase/contract/webhooks/payload';
import type { SampleEvent } from '@moonbase/contract/webhooks/webhooks';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { badRequest } from '../../platform/http/errors.ts';
import { type RepoEvent, topicOf } from '../../repositories/index.ts';
import { repositoryColumns, UNSENT } from '../delivery/new-delivery.ts';
import { watchedBy } from '../subscriptions/store.ts';
import type { DeliveryRow, WatchedRow } from '../tables.ts';
import { isKnownEvent, samplePayload } from './sample-payload.ts';

/** A delivery without what its insertion adds. */
export type DraftedDelivery = Omit<DeliveryRow, 'id' | 'event_id' | 'due_at' | 'trigger_key' | 'created_at'>;

/** Throws 400 for a kind of event that the hub never sends. */
export function refuseUnknownEvent({ scope, action }: SampleEvent): void {
  if (!isKnownEvent(scope, action))
    throw badRequest(`The hub never sends ${scope} with ${action}; see the list of events in /docs`);
}

/**
 * Returns the delivery of a sample event, and the function that records the event. The repository that the event names is not
 * looked up, so that nobody learns whether it exists.
 */
export async function draftSample(
  executor: ReadExecutor,
  caller: Caller,
  webhook: { readonly id: string; readonly lane: string },
  { scope, action, repo }: SampleEvent,
): Promise<{ row: DraftedDelivery; record: (tx: Executor, events: Events) => Promise<string> }> {
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

/** Returns the first watched repository, or else a made-up one of the first watched account or of the caller. */
function sampleRepo(watched: readonly Pick<WatchedRow, 'type' | 'name'>[], caller: Caller) {
  for (const { type, name } of watched) if (type !== 'user' && type !== 'org') return { type, name };
  const [account] = watched;
  return { type: 'model' as const, name: `${account?.name ?? caller.principal.userName}/sample` };
}
