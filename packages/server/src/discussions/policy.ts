import type { DiscussionStatus } from '@moonbase/contract/webhooks/payload';

/**
 * Returns why a status cannot be set, or undefined. Publishing opens a draft, which never becomes a draft again; merged
 * is final, and only merging sets it (W§1.5).
 */
export function statusFault(
  { status: from, refDeleted }: { status: DiscussionStatus; refDeleted: boolean },
  to: 'open' | 'closed',
): string | undefined {
  if (from === 'merged') return 'A merged pull request stays merged';
  if (from === to) return `It is ${to} already`;
  if (refDeleted) return 'The ref of this pull request is deleted; open another';
  return undefined;
}

/** Returns why the ref of a pull request cannot be deleted, or undefined. */
export function refFault(discussion: {
  isPullRequest: boolean;
  status: DiscussionStatus;
  refDeleted: boolean;
}): string | undefined {
  if (!discussion.isPullRequest) return 'Only pull requests have a ref';
  if (discussion.refDeleted) return 'It is deleted already';
  if (discussion.status === 'draft' || discussion.status === 'open')
    return 'The ref of a pull request is needed until it is closed or merged';
  return undefined;
}

/** Returns why a pull request cannot be merged, or undefined. */
export function mergeFault(discussion: { isPullRequest: boolean; status: DiscussionStatus }): string | undefined {
  if (!discussion.isPullRequest) return 'Only pull requests can be merged';
  switch (discussion.status) {
    case 'open':
      return undefined;
    case 'draft':
      return 'A draft cannot be merged; set its status to open first';
    case 'closed':
      return 'A closed pull request cannot be merged; open it first';
    case 'merged':
      return 'It is merged already';
  }
}

/** Returns why a pull request accepts no commits, or undefined. */
export function commitFault({ status }: { status: DiscussionStatus }): string | undefined {
  if (status === 'merged') return 'A merged pull request takes no more commits; open another';
  if (status === 'closed') return 'A closed pull request takes no commits; open it first';
  return undefined;
}
