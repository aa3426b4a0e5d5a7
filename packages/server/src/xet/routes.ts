import * as contract from '@moonbase/contract/large-files/xet';
import * as reading from '@moonbase/contract/large-files/xet-reading';
import { Answer } from '../platform/http/answer.ts';
import type { Visitor } from '../platform/http/authenticate.ts';
import type { Routes } from '../platform/http/route.ts';
import { nameInPath, type RepoName } from '../repositories/index.ts';
import { asBatch, asVersion1, asVersion2 } from './reading/reconstructions.ts';
import type { Xet } from './service.ts';

type ReadHeader = (name: string) => string | undefined;

interface XetRequest {
  readonly caller: Visitor;
  readonly params: { readonly owner: string };
  readonly body: AsyncIterable<Uint8Array>;
  readonly header: ReadHeader;
}

export function xetRoutes(routes: Routes, xet: Xet): void {
  routes.add(contract.getXetWriteToken, async ({ caller, params, query, header }) =>
    withHeaders(
      await xet.token(caller, nameInPath(params), {
        ...{ direction: 'write', revision: params.rev, authorization: header('authorization') },
        opensPullRequest: query.create_pr ?? false,
      }),
    ),
  );
  routes.add(contract.getXetReadToken, async ({ caller, params, header }) =>
    withHeaders(
      await xet.token(caller, nameInPath(params), {
        ...{ direction: 'read', revision: params.rev, authorization: header('authorization'), opensPullRequest: false },
      }),
    ),
  );
  routes.add(contract.getBucketXetWriteToken, async ({ caller, params, header }) =>
    withHeaders(await xet.token(caller, bucketIn(params), ofBucket('write', header('authorization')))),
  );
  routes.add(contract.getBucketXetReadToken, async ({ caller, params, header }) =>
    withHeaders(await xet.token(caller, bucketIn(params), ofBucket('read', header('authorization')))),
  );
  routes.add(contract.uploadXorb, async (request) => {
    const length = request.header('content-length');
    await xet.receiveXorb(sentBy(request), request.params.hash, length === undefined ? undefined : Number(length));
    // Whether the owner had the xorb before is nobody's business.
    return { was_inserted: true };
  });
  routes.add(contract.uploadShard, async (request) => {
    await xet.acceptShard(sentBy(request));
    return { result: 1 as const };
  });
  routes.add(contract.uploadShardWithProgress, (request) => xet.acceptShardWithProgress(sentBy(request)));
  routes.add(contract.findXetChunk, (request) => xet.findChunk(usedBy(request), request.params.hash));
  routes.add(reading.getXetReconstruction, async (request) =>
    asVersion1(await xet.reconstruct(usedBy(request), request.params.hash, request.header('range'))),
  );
  routes.add(reading.getXetReconstructionV2, async (request) =>
    asVersion2(await xet.reconstruct(usedBy(request), request.params.hash, request.header('range'))),
  );
  routes.add(reading.getXetReconstructions, async (request) =>
    asBatch(await xet.reconstructAll(usedBy(request), request.query.file_id)),
  );
  routes.add(reading.getXetFileChanges, (request) =>
    xet.planChanges(usedBy(request), request.params.hash, request.header('x-range-dirty')),
  );
  routes.add(reading.getXetRange, ({ params, header }) => xet.serveRange(params.address, header('range')));
  routes.add(contract.postXetTelemetry, () => ({}));
}

const bucketIn = (params: { readonly namespace: string; readonly repo: string }): RepoName => ({
  ...{ type: 'bucket', namespace: params.namespace, name: params.repo },
});

/** A bucket has no revisions and no pull requests. */
const ofBucket = (direction: 'read' | 'write', authorization: string | undefined) => ({
  ...{ direction, authorization, revision: '', opensPullRequest: false },
});

const usedBy = ({ caller, params, header }: Omit<XetRequest, 'body'>) => ({
  ...{ visitor: caller, owner: params.owner, authorization: header('authorization') },
});

const sentBy = (request: XetRequest) => ({ ...usedBy(request), body: request.body });

type Token = Awaited<ReturnType<Xet['token']>>;

/** Clients of different ages read the token from the body or from the headers. */
const withHeaders = (token: Token): Answer<Token> =>
  new Answer(token, {
    headers: {
      'x-xet-access-token': token.accessToken,
      'x-xet-token-expiration': String(token.exp),
      'x-xet-cas-url': token.casUrl,
      'cache-control': 'no-store',
    },
  });
