import { streamBucketChanges } from '@moonbase/contract/repositories/bucket-events';
import * as contract from '@moonbase/contract/repositories/bucket-files';
import { partsOfUrl } from '../content/index.ts';
import type { Visitor } from '../platform/http/authenticate.ts';
import { answerPage } from '../platform/http/pagination.ts';
import type { Routes } from '../platform/http/route.ts';
import type { RepoName } from '../repositories/index.ts';
import type { Buckets } from './service.ts';

/** The number of URL parts before a prefix: `api`, `buckets`, namespace, name, `tree`. */
const TREE_PARTS = 5;
/** The number of URL parts before the path of a file: `buckets`, namespace, name, `resolve`. */
const FILE_PARTS = 4;

export function bucketRoutes(routes: Routes, buckets: Buckets): void {
  routes.add(contract.listBucketTree, async ({ caller, params, query }) =>
    answerPage(await buckets.tree(caller, bucketIn(params), { ...query, prefix: '' }), caller.url),
  );
  routes.add(contract.listBucketTreeBelow, async ({ caller, params, query }) => {
    const prefix = pathIn(caller, TREE_PARTS);
    return answerPage(await buckets.tree(caller, bucketIn(params), { ...query, prefix }), caller.url);
  });
  routes.add(contract.getBucketPathsInfo, ({ caller, params, body }) =>
    buckets.pathsInfo(caller, bucketIn(params), body.paths),
  );
  routes.add(contract.changeBucketFiles, (request) =>
    buckets.change(request.caller, bucketIn(request.params), {
      body: request.body,
      callerNow: () => routes.callerOf(request),
    }),
  );
  routes.add(streamBucketChanges, async (request) => {
    const { caller, params, query } = request;
    const callerNow = () => routes.callerOf(request);
    return routes.stream(request, await buckets.follow(caller, bucketIn(params), { ...query, callerNow }));
  });
  routes.add(contract.downloadBucketFile, ({ caller, params, query, header, method }) =>
    buckets.download(caller, bucketIn(params), {
      path: pathIn(caller, FILE_PARTS),
      download: query.download !== undefined,
      header,
      headOnly: method === 'HEAD',
    }),
  );
}

/** Returns the path at the end of a URL, after its first `skipped` parts. */
const pathIn = ({ url, baseUrl }: Visitor, skipped: number): string =>
  partsOfUrl(url.slice(baseUrl.length), skipped).join('/');

const bucketIn = ({ namespace, repo }: { readonly namespace: string; readonly repo: string }): RepoName => ({
  ...{ type: 'bucket', namespace, name: repo },
});
