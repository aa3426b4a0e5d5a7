// The key of a change is the same for the generator that makes it, the receiver of its deliveries, and the code that
// reads it back; the load makes each change once.

export const branchKey = (repo: string, branch: string): string => `branch ${repo} ${branch}`;
export const discussionKey = (repo: string, title: string): string => `discussion ${repo} ${title}`;
export const commentKey = (repo: string, content: string): string => `comment ${repo} ${content}`;
export const settingsKey = (repo: string): string => `settings ${repo}`;
export const userKey = (userName: string): string => `user ${userName}`;
export const patchKey = (userName: string): string => `patch ${userName}`;

/** Returns the organization whose webhooks get a change; undefined if none do. */
export const organizationOf = (key: string): string | undefined =>
  /^(?:branch|discussion|comment|settings) ([^/]+)\//.exec(key)?.[1];

interface Payload {
  readonly event: { readonly scope: string };
  readonly repo: { readonly name: string };
  readonly updatedRefs?: readonly { readonly ref: string }[];
  readonly discussion?: { readonly title: string };
  readonly comment?: { readonly content?: string };
}

/** Returns the key of the change in a delivery; undefined if the load did not make it. */
export function keyOf({ event, repo, updatedRefs, discussion, comment }: Payload): string | undefined {
  if (event.scope === 'repo.content')
    return branchKey(repo.name, (updatedRefs?.[0]?.ref ?? '').replace('refs/heads/', ''));
  if (event.scope === 'repo.config') return settingsKey(repo.name);
  if (event.scope === 'discussion') return discussionKey(repo.name, discussion?.title ?? '');
  if (event.scope === 'discussion.comment') return commentKey(repo.name, comment?.content ?? '');
  return undefined;
}
