import { Box, VisuallyHidden } from '@mantine/core';
import { DiscussionIcon, LockIcon, PaperIcon, PostIcon, PullRequestIcon } from '../ui/icons.tsx';
import type { Thread } from './thread.ts';

const ICONS = {
  Discussion: DiscussionIcon,
  'Pull request': PullRequestIcon,
  Requests: LockIcon,
  Paper: PaperIcon,
  Post: PostIcon,
  Article: PostIcon,
} as const;

/** The kind of a thread; for discussions, pull requests and requests for access, the colour shows the status. */
export function KindIcon({ kind, status }: Pick<Thread, 'kind' | 'status'>) {
  const Icon = ICONS[kind];
  return (
    <Box className="kind" data-status={status} title={status ? `${kind}, ${status}` : kind}>
      <Icon />
      <VisuallyHidden>
        {kind}
        {status && `, ${status}`}
      </VisuallyHidden>
    </Box>
  );
}
