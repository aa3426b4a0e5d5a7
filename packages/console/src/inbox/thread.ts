import type { Notification } from './pages.ts';

/** The properties that all kinds of threads share. */
export interface Thread {
  readonly id: string;
  readonly kind: 'Discussion' | 'Pull request' | 'Requests' | 'Paper' | 'Post' | 'Article';
  readonly title: string;
  readonly place: string;
  readonly href: string;
  readonly status: string | undefined;
  readonly participants: readonly { readonly _id: string; readonly avatar: string; readonly user: string }[];
  /** The repository by which the inbox can be filtered. */
  readonly repo: string | undefined;
}

const SEGMENTS = { model: '', dataset: '/datasets', space: '/spaces', kernel: '/kernels', bucket: '/buckets' } as const;

export const discussionPath = (repo: { type: keyof typeof SEGMENTS; name: string }, num: number): string =>
  `${SEGMENTS[repo.type]}/${repo.name}/discussions/${num}`;

export function threadOf(notification: Notification): Thread {
  const noDetails = { status: undefined, repo: undefined };
  switch (notification.type) {
    case 'repo': {
      const { repo, discussion } = notification;
      const shared = {
        ...{ id: discussion.id, title: discussion.title, status: discussion.status },
        participants: discussion.participating,
        repo: repo.type === 'model' ? repo.name : `${repo.type}/${repo.name}`,
      };
      // No discussion has this number: these are the requests for access to a gated repository.
      if (discussion.num === 0)
        return { ...shared, kind: 'Requests', place: repo.name, href: `${SEGMENTS[repo.type]}/${repo.name}` };
      return {
        ...shared,
        kind: discussion.isPullRequest ? 'Pull request' : 'Discussion',
        place: `${repo.name} #${discussion.num}`,
        href: discussionPath(repo, discussion.num),
      };
    }
    case 'paper': {
      const { paper, paperDiscussion } = notification;
      const href = `/papers/${encodeURIComponent(paper._id)}`;
      const { participating: participants } = paperDiscussion;
      return { ...noDetails, id: paper._id, kind: 'Paper', title: paper.title, place: 'Papers', href, participants };
    }
    case 'post': {
      const { id, slug, authorName, title, participating: participants } = notification.post;
      const href = `/posts/${encodeURIComponent(authorName)}/${encodeURIComponent(slug)}`;
      return { ...noDetails, id, kind: 'Post', title, place: authorName, href, participants };
    }
    case 'community_blog': {
      const { id, slug, authorName, title, participating: participants } = notification.blog;
      const path = authorName === undefined ? [slug] : [authorName, slug];
      const href = `/blog/${path.map(encodeURIComponent).join('/')}`;
      return { ...noDetails, id, kind: 'Article', title, place: authorName ?? 'Articles', href, participants };
    }
  }
}
