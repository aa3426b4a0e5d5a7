import * as committing from '@moonbase/contract/content/committing';
import * as comparing from '@moonbase/contract/content/comparing';
import * as files from '@moonbase/contract/content/files';
import * as reading from '@moonbase/contract/content/reading';
import * as starting from '@moonbase/contract/content/starting';
import * as storage from '@moonbase/contract/content/storage';
import { SPACES_DO_NOT_RUN } from '@moonbase/contract/repositories/space-runtime';
import { Answer, rawAnswer } from '../platform/http/answer.ts';
import { HubError } from '../platform/http/errors.ts';
import { answerPage } from '../platform/http/pagination.ts';
import type { Routes } from '../platform/http/route.ts';
import { nameInPath, newSpaceIn, splitName } from '../repositories/index.ts';
import type { ContentParts } from './assembly.ts';
import type { Duplicate } from './starting/duplicate.ts';

/** The type must never be one that a browser would run on the hub's own origin. */
const DIFF_HEADERS = { 'content-type': 'text/plain; charset=utf-8', vary: 'Authorization, Cookie' };
/** Room for the samples of 1,000 files in base64, with their paths. */
const PREUPLOAD_BYTES = 8 * 1024 * 1024;
/** The number of URL parts before the revision: type, namespace, name, operation; a model's URL has no type. */
const FILE_PARTS = 4;
/** The same of `/api/resolve-cache`. */
const CACHED_FILE_PARTS = 5;

type Content = ContentParts['services'] & { readonly duplicate: Duplicate };

export function contentRoutes(routes: Routes, content: Content): void {
  routes.add(reading.listTree, async ({ caller, params, query }) =>
    answerPage(await content.tree(caller, nameInPath(params), query), caller.url),
  );
  routes.add(reading.getPathsInfo, ({ caller, params, body }) => content.pathsInfo(caller, nameInPath(params), body));
  routes.add(reading.getTreeSize, ({ caller, params }) => content.treeSize(caller, nameInPath(params)));
  routes.add(reading.listCommits, async ({ caller, params, query }) => {
    const url = new URL(caller.url);
    const expanded = [query.expand ?? [], url.searchParams.getAll('expand[]')].flat();
    const formatted = expanded.includes('formatted');
    const { items, total, next } = await content.commits(caller, nameInPath(params), { ...query, formatted });
    if (next !== undefined) url.searchParams.set('p', String(next));
    const link = next === undefined ? {} : { link: `<${url.href}>; rel="next"` };
    return new Answer(items, { headers: { 'x-total-count': String(total), ...link } });
  });
  routes.add(
    committing.preupload,
    ({ caller, params, query, body }) =>
      content.preupload(caller, nameInPath(params), {
        ...body,
        revision: params.rev,
        opensPullRequest: query.create_pr ?? false,
      }),
    { bodyLimit: PREUPLOAD_BYTES },
  );
  routes.add(committing.createCommit, (request) => {
    const { caller, params, query, body, header } = request;
    const callerNow = () => routes.callerOf(request);
    const isDocument = header('content-type')?.toLowerCase().startsWith('application/json') ?? false;
    const opensPullRequest = query.create_pr ?? false;
    if (query.hot_reload !== undefined)
      throw new HubError(501, `${SPACES_DO_NOT_RUN}, so nothing can be reloaded`, { code: 'NotImplemented' });
    return content.commit(caller, nameInPath(params), {
      ...{ revision: params.rev, body, isDocument, opensPullRequest, callerNow },
    });
  });
  routes.add(committing.squashBranch, ({ caller, params, body }) =>
    content.squash(caller, nameInPath(params), params.rev, body.message),
  );
  routes.add(comparing.compareRevisions, async ({ caller, params }) =>
    rawAnswer(await content.compare(caller, nameInPath(params), params.rev), { headers: DIFF_HEADERS }),
  );
  routes.add(starting.duplicateRepo, ({ caller, params, body: { repository, ...settings } }) => {
    const from = nameInPath(params);
    const to = { type: from.type, ...splitName(repository, 'body.repository') };
    return content.duplicate(caller, from, to, { ...settings, space: newSpaceIn(settings) });
  });
  routes.add(storage.getRepoStorage, ({ caller, params }) => content.storage(caller, nameInPath(params)));
  routes.add(
    storage.maintainRepo,
    async ({ caller, params }) =>
      new Answer(await content.requestMaintenance(caller, nameInPath(params)), { status: 202 }),
  );
  routes.add(
    storage.maintainRepoById,
    async ({ params }) => new Answer(await content.requestMaintenanceById(params.id), { status: 202 }),
  );
  downloadRoutes(routes, content);
}

function downloadRoutes(routes: Routes, content: ContentParts['services']): void {
  const isRaw = ({ path }: { readonly path: string }) => path.includes('/raw/');
  for (const route of [files.downloadModelFile, files.downloadRawModelFile])
    routes.add(route, ({ caller, params, query, header, method }) =>
      content.download(
        caller,
        { type: 'model', namespace: params.namespace, name: params.repo },
        {
          skipped: FILE_PARTS - 1,
          download: query.download !== undefined,
          raw: isRaw(route),
          header,
          headOnly: method === 'HEAD',
        },
      ),
    );
  for (const route of [files.downloadFile, files.downloadRawFile, files.downloadCachedFile])
    routes.add(route, ({ caller, params, query, header, method }) =>
      content.download(caller, nameInPath(params), {
        skipped: route === files.downloadCachedFile ? CACHED_FILE_PARTS : FILE_PARTS,
        download: query.download !== undefined,
        raw: isRaw(route),
        header,
        headOnly: method === 'HEAD',
      }),
    );
}
