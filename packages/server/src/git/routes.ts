import * as contract from '@moonbase/contract/content/git';
import { repoNotFound } from '../access/index.ts';
import { type Caller, isAuthenticated, type ReadingCaller } from '../platform/http/authenticate.ts';
import type { Routes } from '../platform/http/route.ts';
import { nameInPath, type RepoName } from '../repositories/index.ts';
import { decoded } from './body.ts';
import type { Git } from './service.ts';

type ReadHeader = (name: string) => string | undefined;

export function gitRoutes(routes: Routes, git: Git): void {
  const advertise = (caller: ReadingCaller, name: RepoName, service: contract.GitService, header: ReadHeader) => {
    if (service === 'git-upload-pack') return git.advertiseFetch(caller, name, { protocol: header('git-protocol') });
    // A push has an author, also to a public repository.
    if (!isAuthenticated(caller)) throw repoNotFound();
    return git.advertisePush(caller, name);
  };
  const fetch = (caller: ReadingCaller, name: RepoName, body: AsyncIterable<Uint8Array>, header: ReadHeader) =>
    git.fetch(caller, name, {
      body: decoded(body, header('content-encoding')),
      protocol: header('git-protocol'),
    });
  const push = (request: { caller: Caller; body: AsyncIterable<Uint8Array>; header: ReadHeader }, name: RepoName) =>
    git.push(request.caller, name, {
      body: decoded(request.body, request.header('content-encoding')),
      callerNow: () => routes.callerOf(request),
    });

  routes.add(contract.advertiseGit, ({ caller, params, query, header }) =>
    advertise(caller, modelIn(params), query.service, header),
  );
  routes.add(contract.advertiseGitOfType, ({ caller, params, query, header }) =>
    advertise(caller, nameInPath(params), query.service, header),
  );
  routes.add(contract.fetchWithGit, ({ caller, params, body, header }) => fetch(caller, modelIn(params), body, header));
  routes.add(contract.fetchWithGitOfType, ({ caller, params, body, header }) =>
    fetch(caller, nameInPath(params), body, header),
  );
  routes.add(contract.pushWithGit, (request) => push(request, modelIn(request.params)));
  routes.add(contract.pushWithGitOfType, (request) => push(request, nameInPath(request.params)));
}

const modelIn = ({ namespace, repo }: { namespace: string; repo: string }): RepoName => ({
  ...{ type: 'model', namespace, name: repo },
});
