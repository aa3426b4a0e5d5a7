import type { RepoType } from '@moonbase/contract/primitives';
import type { Action, EventPayload, Scope } from '@moonbase/contract/webhooks/payload';
import { domainOf } from '@moonbase/contract/webhooks/payload';
import type { Executor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { payloadRepo } from './present.ts';
import { fullName, type Repository } from './store.ts';

/** Something that happened to a repository or in one of its discussions: the data of the topics repo and discussion. */
export interface RepoEvent {
  readonly scope: Scope;
  readonly action: Action;
  readonly actorId: string;
  /** As it is after the change: what access and matching look at. */
  readonly repo: {
    id: string;
    type: RepoType;
    name: string;
    ownerId: string;
    ownerKind: 'user' | 'org';
    private: boolean;
    /** Undefined in events of before there were groups. */
    groupId: string | null | undefined;
  };
  /** Where it was before a move. */
  readonly from?: { name: string; ownerId: string; ownerKind: 'user' | 'org' };
  /** Of a discussion whose status changed: the event that says so in it. */
  readonly statusEventId?: string;
  readonly payload: EventPayload;
}

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
  return events.record(tx, domainOf(scope), data);
}
