import * as contract from '@moonbase/contract/repositories/likes';
import { answerPage } from '../platform/http/pagination.ts';
import type { Routes } from '../platform/http/route.ts';
import { nameInPath } from '../repositories/index.ts';
import type { Likes } from './service.ts';

export function likeRoutes(routes: Routes, likes: Likes): void {
  routes.add(contract.likeRepo, async ({ caller, params }) => {
    await likes.like(caller, nameInPath(params));
    return {};
  });
  routes.add(contract.unlikeRepo, async ({ caller, params }) => {
    await likes.unlike(caller, nameInPath(params));
    return {};
  });
  routes.add(contract.listLikers, async ({ caller, params, query }) =>
    answerPage(await likes.likers(caller, nameInPath(params), query), caller.url),
  );
  routes.add(contract.listLikedRepos, async ({ caller, params, query }) =>
    answerPage(await likes.liked(caller, params.username, query), caller.url),
  );
}
