import * as contract from '@moonbase/contract/discussions/discussions';
import * as reading from '@moonbase/contract/discussions/reading';
import type { Routes } from '../platform/http/route.ts';
import { nameInPath } from '../repositories/index.ts';
import type { Discussions } from './service.ts';

const SUCCESS = { success: true } as const;

export function discussionRoutes(routes: Routes, discussions: Discussions): void {
  routes.add(reading.listDiscussions, ({ caller, params, query }) =>
    discussions.list(caller, nameInPath(params), query),
  );
  routes.add(reading.getDiscussion, ({ caller, params, query }) =>
    discussions.get(caller, nameInPath(params), params.num, { withDiff: query.diff !== undefined }),
  );
  routes.add(reading.getPullRequestStorage, ({ caller, params }) =>
    discussions.storage(caller, nameInPath(params), params.num),
  );
  routes.add(contract.createDiscussion, ({ caller, params, body }) =>
    discussions.create(caller, nameInPath(params), body),
  );
  routes.add(contract.commentDiscussion, ({ caller, params, body }) =>
    discussions.comment(caller, nameInPath(params), params.num, body.comment),
  );
  routes.add(contract.editComment, ({ caller, params, body }) =>
    discussions.editComment(caller, nameInPath(params), params.num, params.commentId, body.content),
  );
  routes.add(contract.hideComment, ({ caller, params }) =>
    discussions.hideComment(caller, nameInPath(params), params.num, params.commentId),
  );
  routes.add(contract.changeDiscussionStatus, ({ caller, params, body }) =>
    discussions.changeStatus(caller, nameInPath(params), params.num, body),
  );
  routes.add(contract.renameDiscussion, ({ caller, params, body }) =>
    discussions.rename(caller, nameInPath(params), params.num, body.title),
  );
  routes.add(contract.pinDiscussion, async ({ caller, params, body }) => {
    await discussions.pin(caller, nameInPath(params), params.num, body.pinned);
    return SUCCESS;
  });
  routes.add(contract.deletePullRequestRef, async ({ caller, params }) => {
    await discussions.deleteRef(caller, nameInPath(params), params.num);
    return SUCCESS;
  });
  routes.add(contract.mergePullRequest, async ({ caller, params, body }) => {
    await discussions.merge(caller, nameInPath(params), params.num, body.comment);
    return SUCCESS;
  });
  routes.add(contract.deleteDiscussion, async ({ caller, params }) => {
    await discussions.delete(caller, nameInPath(params), params.num);
    return SUCCESS;
  });
}
