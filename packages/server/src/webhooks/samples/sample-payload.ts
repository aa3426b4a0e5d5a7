import { createHash } from 'node:crypto';
import type { RepoType } from '@moonbase/contract/primitives';
import { type Action, EVENTS, type EventPayload, type Scope } from '@moonbase/contract/webhooks/payload';
import { repoUrls, subdomainOf } from '../../repositories/index.ts';

/** Returns the hexadecimal id of a sample, always the same for a text. */
const sampleId = (text: string, length: number) =>
  createHash('sha1').update(`sample ${text}`).digest('hex').slice(0, length);

/** Returns whether the hub ever sends this scope with this action. */
export const isKnownEvent = (scope: Scope, action: Action): boolean =>
  EVENTS.some((event) => event.scope === scope && event.action === action);

/** Returns a payload of any kind with made-up contents, for trying out a receiver. */
export function samplePayload(
  baseUrl: string,
  event: { scope: Scope; action: Action },
  repo: { type: RepoType; name: string },
): EventPayload {
  const urls = repoUrls(baseUrl, repo.type, repo.name);
  const author = { id: sampleId('author', 24) };
  const isRepo = event.scope.startsWith('repo');
  const isComment = event.scope === 'discussion.comment' || event.action === 'create';
  return {
    event: { action: event.action, scope: event.scope },
    repo: {
      type: repo.type,
      name: repo.name,
      id: sampleId('repo', 24),
      private: false,
      url: urls,
      owner: { id: sampleId('owner', 24) },
      ...(isRepo && repo.type !== 'bucket' && { headSha: sampleId('head', 40) }),
      ...(repo.type === 'space' && { subdomain: subdomainOf(repo.name) }),
    },
    ...(!isRepo && {
      discussion: {
        id: sampleId('discussion', 24),
        num: 1,
        title: 'A sample discussion',
        url: { web: `${urls.web}/discussions/1`, api: `${urls.api}/discussions/1` },
        status: 'open' as const,
        author,
        isPullRequest: false,
        pinned: false,
      },
    }),
    ...(!isRepo &&
      isComment && {
        comment: {
          id: sampleId('comment', 24),
          author,
          hidden: false,
          content: 'A sample comment.',
          url: { web: `${urls.web}/discussions/1#${sampleId('comment', 24)}` },
        },
      }),
    ...(event.scope === 'repo.content' && {
      updatedRefs: [{ ref: 'refs/heads/main', oldSha: sampleId('old head', 40), newSha: sampleId('head', 40) }],
    }),
    ...(event.scope === 'repo.config' && { updatedConfig: { private: false } }),
    ...(event.action === 'move' && { movedTo: { name: `${repo.name}-moved`, owner: { id: sampleId('owner', 24) } } }),
  };
}
