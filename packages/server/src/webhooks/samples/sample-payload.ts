import { createHash } from 'node:crypto';
import type { RepoType } from '@moonbase/contract/primitives';
import { type Action, EVENTS, type EventPayload, type Scope } from '@moonbase/contract/webhooks/payload';
import { repoUrls, subdomainOf } from '../../repositories/index.ts';

/** An id or commit id that is recognisable as made for a sample. */
const made = (text: string, length: number) =>
  createHash('sha1').update(`sample ${text}`).digest('hex').slice(0, length);

/** Whether the hub ever sends this scope with this action. */
export const isKnownEvent = (scope: Scope, action: Action): boolean =>
  EVENTS.some((event) => event.scope === scope && event.action === action);

/** A made-up payload of any kind, for trying out a receiver. */
export function samplePayload(
  baseUrl: string,
  event: { scope: Scope; action: Action },
  repo: { type: RepoType; name: string },
): EventPayload {
  const urls = repoUrls(baseUrl, repo.type, repo.name);
  const author = { id: made('author', 24) };
  const isRepo = event.scope.startsWith('repo');
  const isComment = event.scope === 'discussion.comment' || event.action === 'create';
  return {
    event: { action: event.action, scope: event.scope },
    repo: {
      type: repo.type,
      name: repo.name,
      id: made('repo', 24),
      private: false,
      url: urls,
      owner: { id: made('owner', 24) },
      ...(isRepo && repo.type !== 'bucket' && { headSha: made('head', 40) }),
      ...(repo.type === 'space' && { subdomain: subdomainOf(repo.name) }),
    },
    ...(!isRepo && {
      discussion: {
        id: made('discussion', 24),
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
          id: made('comment', 24),
          author,
          hidden: false,
          content: 'A sample comment.',
          url: { web: `${urls.web}/discussions/1#${made('comment', 24)}` },
        },
      }),
    ...(event.scope === 'repo.content' && {
      updatedRefs: [{ ref: 'refs/heads/main', oldSha: made('old head', 40), newSha: made('head', 40) }],
    }),
    ...(event.scope === 'repo.config' && { updatedConfig: { private: false } }),
    ...(event.action === 'move' && { movedTo: { name: `${repo.name}-moved`, owner: { id: made('owner', 24) } } }),
  };
}
