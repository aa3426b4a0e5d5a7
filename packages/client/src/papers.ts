import type * as claims from '@moonbase/contract/papers/claims';
import type * as routes from '@moonbase/contract/papers/papers';
import type { Entry, RouteBody, RouteQuery, SuccessAnswer } from './operation.ts';
import { entriesOf } from './pages.ts';
import { call, type Hub } from './request.ts';

/** A paper, by its arXiv identifier or its object id. */
export type OnePaper = Hub & { readonly paperId: string };

/** A claim of authorship. */
export type PaperClaim = Entry<typeof claims.listPaperClaims>;

type OneClaim = Hub & { readonly claimId: string };

/** How many claims are asked for at a time, 10 to 1000. */
type Paging = { readonly pageSize?: number | undefined };

/**
 * A paper, with its comments where `field` names them. Needs no token. Throws a `HubApiError`: 400, 404.
 *
 * ```ts
 * const { title, comments } = await getPaper({ hubUrl, paperId: '2401.01234', field: 'comments' });
 * ```
 */
export function getPaper(
  params: OnePaper & RouteQuery<typeof routes.getPaper>,
): Promise<SuccessAnswer<typeof routes.getPaper>> {
  const { paperId, field } = params;
  return call<typeof routes.getPaper>(params, {
    method: 'GET',
    path: '/api/papers/{paperId}',
    params: { paperId },
    query: { field },
  });
}

/** Papers with each word of `q` in their title or identifier, the newest first. Throws a `HubApiError`: 400, 401. */
export function searchPapers(
  params: Hub & { readonly q?: string | undefined; readonly limit?: number | undefined },
): Promise<SuccessAnswer<typeof routes.searchPapers>> {
  const { q, limit } = params;
  return call<typeof routes.searchPapers>(params, {
    method: 'GET',
    path: '/api/papers/search',
    query: { q, limit: limit?.toString() },
  });
}

/** A page of papers by when they came to the hub, the newest first. Throws a `HubApiError`: 400, 401. */
export function listDailyPapers(
  params: Hub &
    Omit<RouteQuery<typeof routes.listDailyPapers>, 'p' | 'limit'> & {
      readonly p?: number | undefined;
      readonly limit?: number | undefined;
    },
): Promise<SuccessAnswer<typeof routes.listDailyPapers>> {
  const { p, limit, date, week, month, submitter, sort } = params;
  return call<typeof routes.listDailyPapers>(params, {
    method: 'GET',
    path: '/api/daily_papers',
    query: { p: p?.toString(), limit: limit?.toString(), date, week, month, submitter, sort },
  });
}

/** Adds a comment, in Markdown. Throws a `HubApiError`: 400, 401, 403, 404. */
export function commentPaper(
  params: OnePaper & RouteBody<typeof routes.commentPaper>,
): Promise<SuccessAnswer<typeof routes.commentPaper>> {
  const { paperId, comment } = params;
  return call<typeof routes.commentPaper>(params, {
    method: 'POST',
    path: '/api/papers/{paperId}/comment',
    params: { paperId },
    body: { comment },
  });
}

/** Answers a comment, in Markdown. Throws a `HubApiError`: 400, 401, 403, 404. */
export function replyToPaperComment(
  params: OnePaper & { readonly commentId: string } & RouteBody<typeof routes.replyToPaperComment>,
): Promise<SuccessAnswer<typeof routes.replyToPaperComment>> {
  const { paperId, commentId, comment } = params;
  return call<typeof routes.replyToPaperComment>(params, {
    method: 'POST',
    path: '/api/papers/{paperId}/comment/{commentId}/reply',
    params: { paperId, commentId },
    body: { comment },
  });
}

/**
 * Hides a comment for good: one's own, one on a paper of one's own, as a site administrator any. Throws a
 * `HubApiError`: 401, 403, 404, 409 where it is hidden.
 */
export function hidePaperComment(
  params: OnePaper & { readonly commentId: string },
): Promise<SuccessAnswer<typeof routes.hidePaperComment>> {
  const { paperId, commentId } = params;
  return call<typeof routes.hidePaperComment>(params, {
    method: 'POST',
    path: '/api/papers/{paperId}/comment/{commentId}/hide',
    params: { paperId, commentId },
  });
}

/**
 * Claims to be an author of a paper; a site administrator decides. Throws a `HubApiError`: 400 where it is not clear
 * which author, 401, 403 for somebody else, 404, 409 where the author is known to be another user.
 */
export function claimPaper(
  params: Hub & RouteBody<typeof claims.claimPaper>,
): Promise<SuccessAnswer<typeof claims.claimPaper>> {
  const { paperId, claimAuthorId, targetUserId } = params;
  return call<typeof claims.claimPaper>(params, {
    method: 'POST',
    path: '/api/settings/papers/claim',
    body: { paperId, claimAuthorId, targetUserId },
  });
}

/** Your claims, newest first. Throws a `HubApiError`: 400, 401, 403. */
export function listPaperClaims(params: Hub & Paging): AsyncGenerator<PaperClaim, void, undefined> {
  return entriesOf<typeof claims.listPaperClaims>(params, {
    method: 'GET',
    path: '/api/settings/papers/claims',
    query: { limit: params.pageSize?.toString() },
  });
}

/** The claims of all, newest first; for site administrators. Throws a `HubApiError`: 400, 401, 403. */
export function listAllPaperClaims(
  params: Hub & Paging & Pick<RouteQuery<typeof claims.listAllPaperClaims>, 'status'>,
): AsyncGenerator<PaperClaim, void, undefined> {
  return entriesOf<typeof claims.listAllPaperClaims>(params, {
    method: 'GET',
    path: '/api/admin/papers/claims',
    query: { status: params.status, limit: params.pageSize?.toString() },
  });
}

/** Gives the author entry to who claims it; for site administrators. Throws a `HubApiError`: 401, 403, 404, 409. */
export function verifyPaperClaim(params: OneClaim): Promise<SuccessAnswer<typeof claims.verifyPaperClaim>> {
  return call<typeof claims.verifyPaperClaim>(params, {
    method: 'POST',
    path: '/api/admin/papers/claims/{claimId}/verify',
    params: { claimId: params.claimId },
  });
}

/** Refuses a claim, or takes back that it was verified; for site administrators. Throws a `HubApiError`: 401, 403, 404. */
export function rejectPaperClaim(params: OneClaim): Promise<SuccessAnswer<typeof claims.rejectPaperClaim>> {
  return call<typeof claims.rejectPaperClaim>(params, {
    method: 'POST',
    path: '/api/admin/papers/claims/{claimId}/reject',
    params: { claimId: params.claimId },
  });
}
