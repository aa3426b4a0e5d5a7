import type { AccessStatus } from '@moonbase/contract/repositories/access-requests';
import {
  type Account,
  findAccount,
  findAccountById,
  findAccountsById,
  findAccountsNamed,
  nameKey,
  requireUser,
} from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { badRequest, notFound } from '../../platform/http/errors.ts';
import type { Ids } from '../../platform/ids.ts';
import type { RepoAudit } from '../audit.ts';
import type { RunRepoChange } from '../change-runner.ts';
import { accessRequestTopic } from '../events.ts';
import type { RepoName, Repository } from '../store.ts';
import type { AccessRequestRow } from '../tables.ts';
import { requireGated } from './asking.ts';
import { needsNoRequest } from './gate.ts';
import { presentRequest } from './present.ts';
import { findRequest, insertRequest, listRequests, requestsAmong, updateRequests } from './request-store.ts';

/** A user, or the request of one. */
export interface Asker {
  readonly user?: string | undefined;
  readonly userId?: string | undefined;
  readonly requestId?: string | undefined;
}

export interface Decision {
  readonly status: AccessStatus;
  readonly rejectionReason?: string | undefined;
}

interface Dependencies {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly events: Events;
  readonly audit: RepoAudit;
  readonly runChange: RunRepoChange;
}

const ACTIONS = { accepted: 'accept', rejected: 'reject', pending: undefined } as const;
const NO_REQUEST = 'This user has no access request for the repository';

/** The verbs of those who may write to a gated repository. */
export function createHandling({ clock, ids, events, audit, runChange }: Dependencies) {
  /** Gives requests a status, with an event for each that their users hear of, and one audit record. */
  async function decide(
    tx: Executor,
    caller: Caller,
    repo: Repository,
    requests: readonly (AccessRequestRow & { readonly userName: string })[],
    { status, rejectionReason }: Decision,
  ): Promise<void> {
    if (requests.length === 0) return;
    const actorId = caller.principal.userId;
    const review = { status, reviewed_at: clock.now(), reviewed_by: actorId };
    const reason = status === 'rejected' ? rejectionReason?.trim() || null : null;
    await updateRequests(
      tx,
      requests.map(({ id }) => id),
      { ...review, rejection_reason: reason },
    );
    const action = ACTIONS[status];
    if (action)
      for (const { id: requestId, user_id: userId } of requests)
        await events.record(tx, accessRequestTopic, { action, requestId, repoId: repo.id, userId, actorId });
    const names = requests.map(({ userName }) => userName);
    await audit.accessHandled(tx, caller, repo, names, status);
  }

  /** Returns the user that a request names. Throws 404 if there is none. */
  const userOf = async (tx: Executor, { user, userId = '' }: Asker): Promise<Account> =>
    user === undefined
      ? requireUser(await findAccountById(tx, userId), userId)
      : requireUser(await findAccount(tx, user), user);

  async function requestOf(tx: Executor, repo: Repository, asker: Asker) {
    const user = asker.requestId === undefined ? await userOf(tx, asker) : undefined;
    const wanted = { ids: asker.requestId === undefined ? [] : [asker.requestId], userIds: user ? [user.id] : [] };
    const [request] = await requestsAmong(tx, repo.id, wanted);
    if (!request) throw notFound(NO_REQUEST);
    return { ...request, userName: user?.name ?? (await findAccountById(tx, request.user_id))?.name ?? '' };
  }

  async function presentOne(tx: Executor, caller: Caller, repo: Repository, request: AccessRequestRow) {
    const [listed] = await listRequests(tx, repo.id, { id: request.id, limit: 1 });
    if (!listed) throw notFound(NO_REQUEST);
    return presentRequest(caller.baseUrl, listed);
  }

  return {
    /** Throws 400 if the request has the status already, 404 if there is no such user or request. */
    handle: (caller: Caller, name: RepoName, { status, rejectionReason, ...asker }: Asker & Decision): Promise<void> =>
      runChange(caller, name, async (tx, repo) => {
        requireGated(repo);
        const request = await requestOf(tx, repo, asker);
        if (request.status === status) throw badRequest(`The access request is ${status} already`);
        await decide(tx, caller, repo, [request], { status, rejectionReason });
      }),

    /** Handles many requests; returns what became of each, in their order. */
    handleAll: (caller: Caller, name: RepoName, askers: readonly Asker[], decision: Decision) =>
      runChange(caller, name, async (tx, repo) => {
        requireGated(repo);
        const named = await findAccountsNamed(
          tx,
          askers.flatMap(({ user }) => user ?? []),
        );
        const idOf = ({ user, userId }: Asker) => (user === undefined ? userId : named.get(nameKey(user))?.id);
        const wanted = {
          ids: askers.flatMap(({ requestId }) => requestId ?? []),
          userIds: askers.flatMap((asker) => idOf(asker) ?? []),
        };
        const rows = await requestsAmong(tx, repo.id, wanted);
        const users = await findAccountsById(tx, [...wanted.userIds, ...rows.map(({ user_id }) => user_id)]);
        const found = rows.map((row) => ({ ...row, userName: users.get(row.user_id)?.name ?? '' }));
        const change = found.filter(({ status }) => status !== decision.status);
        await decide(tx, caller, repo, change, decision);
        return askers.map(({ user, userId, requestId }) => {
          const who = { ...(user !== undefined && { user }), ...(userId !== undefined && { userId }) };
          const id = idOf({ user, userId });
          if (requestId === undefined && !users.has(id ?? ''))
            return { ...who, ok: false, error: 'user_not_found' as const };
          const request = found.find((row) => (requestId === undefined ? row.user_id === id : row.id === requestId));
          if (!request) return { ...who, ok: false, error: 'request_not_found' as const };
          return { ...who, userId: request.user_id, ok: true };
        });
      }),

    /** Lets a user in who need not have asked. Throws 400 if the user has access already, 404 if there is no such user. */
    grant: (caller: Caller, name: RepoName, asker: Pick<Asker, 'user' | 'userId'>) =>
      runChange(caller, name, async (tx, repo) => {
        requireGated(repo);
        const user = await userOf(tx, asker);
        const known = await findRequest(tx, repo.id, user.id);
        if (known?.status === 'accepted' || (await needsNoRequest(tx, user.id, repo)))
          throw badRequest(`The user ${user.name} has access already`);
        const now = clock.now();
        const actorId = caller.principal.userId;
        const request: AccessRequestRow = known ?? {
          ...{ id: ids(), repo_id: repo.id, user_id: user.id, status: 'accepted', granted: 1, fields: null },
          ...{ requested_at: now, reviewed_at: now, reviewed_by: actorId, rejection_reason: null },
        };
        if (known) await decide(tx, caller, repo, [{ ...known, userName: user.name }], { status: 'accepted' });
        else {
          await insertRequest(tx, request);
          await audit.accessHandled(tx, caller, repo, [user.name], 'accepted');
        }
        return presentOne(tx, caller, repo, request);
      }),
  };
}
