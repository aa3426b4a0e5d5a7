import type { streamSpaceLogs as logsRoute, SpaceLogLine } from '@moonbase/contract/repositories/space-runtime';
import { dataIn } from './event-stream.ts';
import { splitRepo } from './repo-name.ts';
import { type Hub, send, urlOf } from './request.ts';

export type { SpaceLogLine } from '@moonbase/contract/repositories/space-runtime';

/** Yields the log of a Space: the line that says that the hub does not run Spaces. Throws a `HubApiError`: 401, 403, 404. */
export async function* streamSpaceLogs(
  params: Hub & {
    /** namespace/name */
    readonly repo: string;
    readonly kind: 'build' | 'run';
  },
): AsyncGenerator<SpaceLogLine, void, undefined> {
  const path: (typeof logsRoute)['path'] = '/api/spaces/{namespace}/{repo}/logs/{kind}';
  const url = urlOf(params, { path, params: { ...splitRepo(params.repo), kind: params.kind } });
  yield* dataIn<SpaceLogLine>(await send(params, url, { method: 'GET' }));
}
