import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { badRequest, forbidden, notFound } from '../../platform/http/errors.ts';
import type { Ids } from '../../platform/ids.ts';
import { toJson } from '../../platform/stored-form.ts';
import { lockReadableRepo } from '../change-runner.ts';
import { accessRequestTopic } from '../events.ts';
import { repoUrls } from '../present.ts';
import { type RepoContents, readRepo } from '../reading.ts';
import { fullName, type RepoName, type Repository } from '../store.ts';
import { answersTo, formOf } from './form.ts';
import { needsNoRequest, rejectionOf } from './gate.ts';
import { deleteRequest, findRequest, insertRequest } from './request-store.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly events: Events;
  readonly contents: Pick<RepoContents, 'card'>;
}

/** Throws 400 for a repository that is not gated. */
export function requireGated(repo: Repository): void {
  if (repo.gated === null) throw badRequest(`The ${repo.type} ${fullName(repo)} is not gated`);
}

/** The verbs of users who want access. */
export function createAsking({ database, clock, ids, events, contents }: Dependencies) {
  return {
    /**
     * Stores a request for access, unless there is one, and returns the page of the repository. Throws 400 if an answer to
     * the card's form is missing or nothing is to be asked for, 403 after a rejection.
     */
    async ask(caller: Caller, name: RepoName, given: Readonly<Record<string, unknown>>): Promise<string> {
      const { userId } = caller.principal;
      const asked = await readRepo(database.read, caller, name);
      requireGated(asked);
      const commit = asked.head_sha ?? '';
      const { cardData } = await contents.card(asked, { commit, address: caller.address });
      const form = formOf(cardData);
      return database.transaction(async (tx) => {
        const repo = await lockReadableRepo(tx, caller, name);
        requireGated(repo);
        if (await needsNoRequest(tx, userId, repo)) throw badRequest('You have access to this repository already');
        const page = repoUrls(caller.baseUrl, repo.type, fullName(repo)).web;
        const known = await findRequest(tx, repo.id, userId);
        if (known?.status === 'rejected') throw forbidden(rejectionOf(known.rejection_reason));
        if (known) return page;
        const answers = answersTo(form, given);
        const id = ids();
        await insertRequest(tx, {
          ...{ id, repo_id: repo.id, user_id: userId, granted: 0, requested_at: clock.now() },
          status: repo.gated === 'auto' ? 'accepted' : 'pending',
          fields: answers === undefined ? null : toJson(answers),
          ...{ reviewed_at: null, reviewed_by: null, rejection_reason: null },
        });
        if (repo.gated === 'manual')
          await events.record(tx, accessRequestTopic, {
            ...{ action: 'request', requestId: id, repoId: repo.id, userId, actorId: userId },
          });
        return page;
      });
    },

    /**
     * Withdraws the caller's request, or gives the access up. Throws 403 for one that somebody rejected or made wait again:
     * a new request could be accepted without being looked at.
     */
    cancel: (caller: Caller, name: RepoName): Promise<void> =>
      database.transaction(async (tx) => {
        const repo = await lockReadableRepo(tx, caller, name);
        const request = await findRequest(tx, repo.id, caller.principal.userId);
        if (!request) throw notFound('You have not asked for access to this repository');
        if (request.status !== 'accepted' && request.reviewed_at !== null)
          throw forbidden('The authors have decided about your request; it cannot be withdrawn any more');
        await deleteRequest(tx, request.id);
      }),
  };
}
