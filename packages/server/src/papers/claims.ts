import { plainArxivId } from '@moonbase/contract/papers/arxiv';
import type { ClaimStatus } from '@moonbase/contract/papers/claims';
import { authorize } from '../access/index.ts';
import { type Account, findAccountById } from '../accounts/index.ts';
import { type Clock, timestamp } from '../platform/clock.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { badRequest, conflict, notFound } from '../platform/http/errors.ts';
import { idFromCursor, pageFrom } from '../platform/http/pagination.ts';
import type { Ids } from '../platform/ids.ts';
import {
  type Claim,
  type ClaimFilter,
  decideClaim,
  findClaim,
  findNamedClaim,
  hasClaimed,
  insertClaim,
  listClaims,
  type NamedClaim,
} from './claim-store.ts';
import { type ClaimEvent, claimTopic } from './events.ts';
import { paperNotFound } from './service.ts';
import { authorsOf, findPaper, lockAuthor, type Paper, type PaperAuthor, updateAuthor } from './store.ts';

export type Claims = ReturnType<typeof createClaims>;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly events: Events;
}

interface Page {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

export function createClaims({ database, clock, ids, events }: Dependencies) {
  const record = (tx: Executor, caller: Caller, action: ClaimEvent['action'], claim: Claim) =>
    events.record(tx, claimTopic, {
      action,
      claimId: claim.id,
      paperId: claim.paper_id,
      userId: claim.user_id,
      actorId: caller.principal.userId,
    });

  async function list(filter: ClaimFilter, { cursor, limit }: Page) {
    const rows = await listClaims(database.read, { ...filter, before: idFromCursor(cursor) }, limit + 1);
    const { items, next } = pageFrom(rows, limit, ({ id }) => id);
    return { items: items.map(presentClaim), next };
  }

  /** Decides a claim under the lock of the author entry, which serializes all its changes. */
  const decide = (
    caller: Caller,
    claimId: string,
    status: ClaimStatus,
    settle: (tx: Executor, claim: Claim, author: PaperAuthor) => Promise<void>,
  ) =>
    database.transaction(async (tx) => {
      const id = claimId.toLowerCase();
      const seen = await findClaim(tx, id);
      const author = seen && (await lockAuthor(tx, seen.paper_id, seen.author_id));
      const claim = author && (await findClaim(tx, id));
      if (!claim) throw notFound('There is no such claim');
      if (claim.status !== status) {
        await settle(tx, claim, author);
        await decideClaim(tx, id, status, clock.now());
        await record(tx, caller, status === 'claim_verified' ? 'verify' : 'reject', claim);
      }
      return presentClaim(await findNamedClaim(tx, id));
    });

  return {
    request: (
      caller: Caller,
      given: { paperId: string; claimAuthorId?: string | undefined; targetUserId?: string | undefined },
    ) =>
      database.transaction(async (tx) => {
        const paper = await findPaper(tx, given.paperId);
        if (paper?.arxiv_id !== plainArxivId(given.paperId)) throw paperNotFound(given.paperId);
        const user = await claimant(tx, caller, given.targetUserId);
        const authorId = given.claimAuthorId ?? (await entryNamed(tx, paper, user));
        const author = await lockAuthor(tx, paper.id, authorId);
        if (!author) throw notFound('This paper has no such author entry');
        if (author.user_id !== null && author.user_id !== user.id) throw conflict(TAKEN);
        if (author.user_id === null && !(await hasClaimed(tx, author.id, user.id))) {
          const claim: Claim = {
            id: ids(),
            paper_id: paper.id,
            author_id: author.id,
            user_id: user.id,
            requested_by: caller.principal.userId,
            status: 'claim_requested',
            created_at: clock.now(),
            decided_at: null,
          };
          await insertClaim(tx, claim);
          await record(tx, caller, 'request', claim);
        }
        return { ok: true, claimedPaperId: paper.arxiv_id };
      }),

    listOwn: (caller: Caller, page: Page) => list({ userId: caller.principal.userId }, page),
    listAll: (page: Page & { readonly status?: ClaimStatus | undefined }) => list({ status: page.status }, page),

    /** Assigns the author entry to the claimant. */
    verify: (caller: Caller, claimId: string) =>
      decide(caller, claimId, 'claim_verified', async (tx, claim, author) => {
        if (author.user_id !== null && author.user_id !== claim.user_id) throw conflict(TAKEN);
        const status = 'claim_verified';
        await updateAuthor(tx, author.id, { user_id: claim.user_id, status, status_changed_at: clock.now() });
      }),

    /** Rejects a claim; if it was verified, the author entry becomes unassigned. */
    reject: (caller: Caller, claimId: string) =>
      decide(caller, claimId, 'claim_rejected', async (tx, claim, author) => {
        if (claim.status !== 'claim_verified' || author.user_id !== claim.user_id) return;
        await updateAuthor(tx, author.id, { user_id: null, status: null, status_changed_at: null });
      }),
  };
}

const TAKEN = 'This author entry belongs to another user';

/** Returns the claimed author. Throws 403 if this is not the caller, unless the caller is a site administrator. */
async function claimant(tx: Executor, { principal }: Caller, targetUserId: string | undefined): Promise<Account> {
  const userId = targetUserId ?? principal.userId;
  if (userId !== principal.userId) authorize(principal, 'site-admin');
  const user = await findAccountById(tx, userId);
  if (user?.kind !== 'user') throw notFound('There is no user with this id');
  return user;
}

async function entryNamed(tx: Executor, paper: Paper, { fullname }: Account): Promise<string> {
  const [entry, ...others] = (await authorsOf(tx, paper.id)).filter(({ name }) => name === fullname);
  if (entry && others.length === 0) return entry.id;
  const found = entry ? `${others.length + 1} authors of this paper are` : 'no author of this paper is';
  throw badRequest(`${found} named ${fullname}: say which author entry it is with \`claimAuthorId\``);
}

const presentClaim = (claim: NamedClaim) => ({
  id: claim.id,
  paperId: claim.arxivId,
  authorId: claim.author_id,
  authorName: claim.authorName,
  user: claim.userName,
  ...(claim.requesterName !== null && claim.requested_by !== claim.user_id && { requestedBy: claim.requesterName }),
  status: claim.status,
  createdAt: timestamp(claim.created_at),
  ...(claim.decided_at !== null && { decidedAt: timestamp(claim.decided_at) }),
});
