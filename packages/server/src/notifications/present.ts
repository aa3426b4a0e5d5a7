import type { Notification } from '@moonbase/contract/notifications';
import { avatarUrl } from '../accounts/index.ts';
import { timestamp } from '../platform/clock.ts';
import type { Listed, Participant } from './page.ts';
import { isRepoType } from './subject.ts';

/** An element of the list, of one of the four types. */
export function presentNotification(baseUrl: string, listed: Listed): Notification {
  const { threadId: id, subject, title, accountName } = listed;
  const shared = {
    updatedAt: timestamp(listed.updatedAt),
    read: listed.read,
    ...(listed.eventId !== null && { discussionEventId: listed.eventId }),
  };
  const participating = listed.participants.map((each) => presentParticipant(baseUrl, each));
  if (isRepoType(subject)) {
    const { num, status, isPullRequest } = listed;
    return {
      type: 'repo',
      ...shared,
      repo: { name: `${accountName}/${listed.repoName}`, type: subject },
      discussion: { num, title, status, id, isPullRequest, participating },
    };
  }
  switch (subject) {
    case 'paper':
      return {
        type: 'paper',
        ...shared,
        paper: { _id: id, title },
        paperDiscussion: { id, participating, paperId: id },
      };
    case 'post':
      return {
        type: 'post',
        ...shared,
        post: { id, slug: listed.slug, authorName: accountName, title, participating },
      };
    case 'community_blog': {
      const { slug, canonical } = listed;
      return {
        type: 'community_blog',
        ...shared,
        blog: { id, slug, title, canonical, authorName: accountName, participating },
      };
    }
  }
}

const presentParticipant = (baseUrl: string, { id, name, avatarUrl: avatar_url }: Participant) => ({
  _id: id,
  avatar: avatarUrl(baseUrl, { id, avatar_url }),
  user: name,
});
