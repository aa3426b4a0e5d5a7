// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as claims from '@moonbase/contract/papers/claims';
import type * as papers from '@moonbase/contract/papers/papers';
import type { Entry, RouteBody, RouteQuery, SuccessAnswer } from '../operation.ts';
import { entriesOf } from '../pages.ts';
import { call, type Hub } from '../request.ts';

export * from '../handwritten/papers.ts';

export type Paper = SuccessAnswer<typeof papers.getPaper>;

export type ListedPaper = SuccessAnswer<typeof papers.searchPapers>[number];

export type PaperClaim = SuccessAnswer<typeof claims.listPaperClaims>[number];

/**
 * Get a paper.
 *
 * Throws a `HubApiError`: 400, 404.
 */
export function getPaper(
  params: Hub & {
    /** The arXiv identifier, also in the form `arXiv:2401.01234v2`, or the object id. */
    readonly paperId: string;
    /** Additional fields to return; may be repeated. This hub has no deadlines. */
    readonly field?: RouteQuery<typeof papers.getPaper>['field'];
  },
): Promise<SuccessAnswer<typeof papers.getPaper>> {
  return call<typeof papers.getPaper>(params, {
    method: 'GET',
    path: '/api/papers/{paperId}',
    params: { paperId: params.paperId },
    query: { field: params.field },
  });
}

/**
 * Search papers. Returns papers with every word in their title or arXiv identifier, most recently added first.
 *
 * Throws a `HubApiError`: 400, 401, 403.
 */
export function searchPapers(
  params: Hub & {
    readonly q?: string | undefined;
    readonly limit?: number | undefined;
  },
): Promise<SuccessAnswer<typeof papers.searchPapers>> {
  return call<typeof papers.searchPapers>(params, {
    method: 'GET',
    path: '/api/papers/search',
    query: { q: params.q, limit: params.limit },
  });
}

/**
 * List papers, most recently added first. `date`, `week` and `month` are in UTC and can be combined.
 *
 * Throws a `HubApiError`: 400, 401, 403.
 */
export function listDailyPapers(
  params: Hub & {
    /** Page, from 0. */
    readonly page?: number | undefined;
    readonly date?: RouteQuery<typeof papers.listDailyPapers>['date'];
    readonly week?: string | undefined;
    readonly month?: string | undefined;
    /** Matches nothing: papers on this hub come from the hub document. */
    readonly submitter?: string | undefined;
    /** There are no votes yet: both mean newest first. */
    readonly sort?: RouteQuery<typeof papers.listDailyPapers>['sort'];
    readonly limit?: number | undefined;
  },
): Promise<SuccessAnswer<typeof papers.listDailyPapers>> {
  return call<typeof papers.listDailyPapers>(params, {
    method: 'GET',
    path: '/api/daily_papers',
    query: {
      p: params.page,
      date: params.date,
      week: params.week,
      month: params.month,
      submitter: params.submitter,
      sort: params.sort,
      limit: params.limit,
    },
  });
}

/**
 * Comment on a paper.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 * - 409: The thread is full: its comments and changes have 16 MiB together.
 */
export function commentPaper(
  params: Hub & {
    /** The arXiv identifier, also in the form `arXiv:2401.01234v2`, or the object id. */
    readonly paperId: string;
    readonly comment: string;
  },
): Promise<SuccessAnswer<typeof papers.commentPaper>> {
  return call<typeof papers.commentPaper>(params, {
    method: 'POST',
    path: '/api/papers/{paperId}/comment',
    params: { paperId: params.paperId },
    body: { comment: params.comment },
  });
}

/**
 * Reply to a comment on a paper.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 * - 409: The thread is full: its comments and changes have 16 MiB together.
 */
export function replyToPaperComment(
  params: Hub & {
    /** The arXiv identifier, also in the form `arXiv:2401.01234v2`, or the object id. */
    readonly paperId: string;
    readonly commentId: string;
    readonly comment: string;
  },
): Promise<SuccessAnswer<typeof papers.replyToPaperComment>> {
  return call<typeof papers.replyToPaperComment>(params, {
    method: 'POST',
    path: '/api/papers/{paperId}/comment/{commentId}/reply',
    params: { paperId: params.paperId, commentId: params.commentId },
    body: { comment: params.comment },
  });
}

/**
 * Hide a comment on a paper permanently. For its author, the known authors of the paper, and site administrators.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function hidePaperComment(
  params: Hub & {
    /** The arXiv identifier, also in the form `arXiv:2401.01234v2`, or the object id. */
    readonly paperId: string;
    readonly commentId: string;
  },
): Promise<SuccessAnswer<typeof papers.hidePaperComment>> {
  return call<typeof papers.hidePaperComment>(params, {
    method: 'POST',
    path: '/api/papers/{paperId}/comment/{commentId}/hide',
    params: { paperId: params.paperId, commentId: params.commentId },
  });
}

/**
 * Claim to be an author of a paper. E13. A site administrator decides about the claim. Only site administrators
 * may claim for somebody else. Repeating a claim changes nothing; 409 for an author entry that belongs to another
 * user.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 * - 404: The paper, its author entry or the user is not there.
 */
export function claimPaper(
  params: Hub & {
    /** The arXiv identifier, also in the form `arXiv:2401.01234v2`. */
    readonly paperId: string;
    /** The author entry. Default: the one whose name equals the full name of the user; 400 unless there is exactly one. */
    readonly claimAuthorId?: RouteBody<typeof claims.claimPaper>['claimAuthorId'];
    /** The user who is the author. Default: the caller. */
    readonly targetUserId?: RouteBody<typeof claims.claimPaper>['targetUserId'];
  },
): Promise<SuccessAnswer<typeof claims.claimPaper>> {
  return call<typeof claims.claimPaper>(params, {
    method: 'POST',
    path: '/api/settings/papers/claim',
    body: { paperId: params.paperId, claimAuthorId: params.claimAuthorId, targetUserId: params.targetUserId },
  });
}

/**
 * List the claims of the caller, newest first. Returns the entries of all pages, asking for `pageSize` at a time.
 *
 * Throws a `HubApiError`: 400, 401, 403.
 */
export function listPaperClaims(
  params: Hub & {
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof claims.listPaperClaims>, void, undefined> {
  return entriesOf<typeof claims.listPaperClaims>(params, {
    method: 'GET',
    path: '/api/settings/papers/claims',
    query: { limit: params.pageSize },
  });
}

/**
 * List all claims, newest first. Returns the entries of all pages, asking for `pageSize` at a time.
 *
 * Throws a `HubApiError`: 400, 401, 403.
 */
export function listAllPaperClaims(
  params: Hub & {
    readonly status?: RouteQuery<typeof claims.listAllPaperClaims>['status'];
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof claims.listAllPaperClaims>, void, undefined> {
  return entriesOf<typeof claims.listAllPaperClaims>(params, {
    method: 'GET',
    path: '/api/admin/papers/claims',
    query: { status: params.status, limit: params.pageSize },
  });
}

/**
 * Verify a claim: the author entry then belongs to the user. Also possible for a rejected claim. 409 if the entry
 * belongs to another user.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function verifyPaperClaim(
  params: Hub & {
    readonly claimId: string;
  },
): Promise<SuccessAnswer<typeof claims.verifyPaperClaim>> {
  return call<typeof claims.verifyPaperClaim>(params, {
    method: 'POST',
    path: '/api/admin/papers/claims/{claimId}/verify',
    params: { claimId: params.claimId },
  });
}

/**
 * Reject a claim. Also possible for a verified claim: the author entry then belongs to nobody.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function rejectPaperClaim(
  params: Hub & {
    readonly claimId: string;
  },
): Promise<SuccessAnswer<typeof claims.rejectPaperClaim>> {
  return call<typeof claims.rejectPaperClaim>(params, {
    method: 'POST',
    path: '/api/admin/papers/claims/{claimId}/reject',
    params: { claimId: params.claimId },
  });
}
