import * as claimContract from '@moonbase/contract/papers/claims';
import * as contract from '@moonbase/contract/papers/papers';
import { rawAnswer } from '../platform/http/answer.ts';
import { answerPage } from '../platform/http/pagination.ts';
import type { Routes } from '../platform/http/route.ts';
import type { Claims } from './claims.ts';
import type { Papers } from './service.ts';
import { textOf } from './text.ts';

export function paperRoutes(routes: Routes, { papers, claims }: { papers: Papers; claims: Claims }): void {
  routes.add(contract.getPaper, ({ caller, params, query }) => papers.get(caller, params.paperId, query.field));
  routes.add(contract.getPaperText, async ({ caller, params }) =>
    rawAnswer(textOf(await papers.get(caller, params.paperId)), {
      headers: { 'content-type': 'text/markdown; charset=utf-8' },
    }),
  );
  routes.add(contract.searchPapers, ({ caller, query }) => papers.search(caller, query));
  routes.add(contract.listDailyPapers, ({ caller, query }) => papers.daily(caller, query));
  routes.add(contract.commentPaper, ({ caller, params, body }) => papers.comment(caller, params.paperId, body));
  routes.add(contract.replyToPaperComment, ({ caller, params, body }) =>
    papers.comment(caller, params.paperId, { ...body, replyTo: params.commentId }),
  );
  routes.add(contract.hidePaperComment, ({ caller, params }) =>
    papers.hideComment(caller, params.paperId, params.commentId),
  );
  routes.add(claimContract.claimPaper, ({ caller, body }) => claims.request(caller, body));
  routes.add(claimContract.listPaperClaims, async ({ caller, query }) =>
    answerPage(await claims.listOwn(caller, query), caller.url),
  );
  routes.add(claimContract.listAllPaperClaims, async ({ caller, query }) =>
    answerPage(await claims.listAll(query), caller.url),
  );
  routes.add(claimContract.verifyPaperClaim, ({ caller, params }) => claims.verify(caller, params.claimId));
  routes.add(claimContract.rejectPaperClaim, ({ caller, params }) => claims.reject(caller, params.claimId));
}
