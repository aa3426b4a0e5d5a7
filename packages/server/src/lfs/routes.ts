import * as contract from '@moonbase/contract/large-files/large-files';
import * as lfs from '@moonbase/contract/large-files/lfs';
import * as locks from '@moonbase/contract/large-files/locks';
import { Answer } from '../platform/http/answer.ts';
import { answerPage } from '../platform/http/pagination.ts';
import type { Routes } from '../platform/http/route.ts';
import { nameInPath, type RepoName, splitName } from '../repositories/index.ts';
import type { Lfs } from './service.ts';

export function lfsRoutes(routes: Routes, files: Lfs): void {
  routes.add(lfs.lfsBatch, ({ caller, params, body }) => files.batch(caller, modelIn(params), body));
  routes.add(lfs.lfsBatchOfType, ({ caller, params, body }) => files.batch(caller, nameInPath(params), body));
  routes.add(lfs.verifyLfsUpload, async ({ caller, params, body }) => {
    await files.verify(caller, modelIn(params), body);
    return {};
  });
  routes.add(lfs.verifyLfsUploadOfType, async ({ caller, params, body }) => {
    await files.verify(caller, nameInPath(params), body);
    return {};
  });
  routes.add(lfs.putLargeFile, async ({ params, body, header }) => {
    const etag = await files.put(params.address, body, header('content-length'));
    return new Answer({}, { headers: { etag } });
  });
  routes.add(
    lfs.completeLargeFile,
    async ({ params, body }) => {
      await files.complete(params.address, body);
      return {};
    },
    { bodyLimit: COMPLETION_BYTES },
  );
  routes.add(lfs.getLargeFile, ({ params, header }) => files.get(params.address, header));

  routes.add(locks.lockFile, ({ caller, params, body }) => files.lock(caller, modelIn(params), body.path));
  routes.add(locks.lockFileOfType, ({ caller, params, body }) => files.lock(caller, nameInPath(params), body.path));
  routes.add(locks.listLocks, ({ caller, params, query }) => files.locks(caller, modelIn(params), query));
  routes.add(locks.listLocksOfType, ({ caller, params, query }) => files.locks(caller, nameInPath(params), query));
  routes.add(locks.verifyLocks, ({ caller, params, body }) => files.verifyLocks(caller, modelIn(params), body));
  routes.add(locks.verifyLocksOfType, ({ caller, params, body }) =>
    files.verifyLocks(caller, nameInPath(params), body),
  );
  routes.add(locks.unlockFile, ({ caller, params, body }) =>
    files.unlock(caller, modelIn(params), { id: params.lockId, force: body.force }),
  );
  routes.add(locks.unlockFileOfType, ({ caller, params, body }) =>
    files.unlock(caller, nameInPath(params), { id: params.lockId, force: body.force }),
  );

  routes.add(contract.listLargeFiles, async ({ caller, params, query }) =>
    answerPage(await files.list(caller, nameInPath(params), query), caller.url),
  );
  routes.add(contract.deleteLargeFile, async ({ caller, params, query }) => {
    const rewriteHistory = query.rewriteHistory !== undefined && !/^(false|0)$/i.test(query.rewriteHistory);
    await files.delete(caller, nameInPath(params), params.sha, rewriteHistory);
    return {};
  });
  routes.add(contract.deleteLargeFiles, async ({ caller, params, body: { deletions } }) => {
    await files.deleteAll(caller, nameInPath(params), deletions.sha, deletions.rewriteHistory);
    return {};
  });
  routes.add(contract.duplicateLargeFiles, ({ caller, params, body }) =>
    files.duplicate(
      caller,
      nameInPath(params),
      { type: body.target.type, ...splitName(body.target.name, 'body.target.name') },
      body.files,
    ),
  );
}

/** Room for 10,000 parts with their entity tags. */
const COMPLETION_BYTES = 4 * 1024 * 1024;

const modelIn = ({ namespace, repo }: { namespace: string; repo: string }): RepoName => ({
  ...{ type: 'model', namespace, name: repo },
});
