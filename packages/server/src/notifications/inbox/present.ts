import type { Notification } from '@moonbase/contract/notifications/notifications';
import type { DiscussionStatus } from '@moonbase/contract/webhooks/payload';
import { avatarUrl } from '../../accounts/index.ts';
import { timestamp } from '../../platform/clock.ts';
import { isRepoType, type Subject } from './subject.ts';

export interface Participant {
  readonly id: string;
  readonly name: string;
  readonly avatarUrl: string | null;
}

/** What is shown of a thread. */
export interface ShownThread {
  readonly id: string;
  readonly subject: Subject;
  readonly title: string;
  /** The name of the repository's owner, or of the author. */
  readonly accountName: string;
  readonly repoName: string;
  readonly num: number;
  readonly status: DiscussionStatus;
  readonly isPullRequest: boolean;
  readonly slug: string;
  readonly canonical: boolean;
  /** Latest first. */
  readonly participants: readonly Participant[];
}

/** What a user's list says about a thread beside what it shows to everybody. */
interface State {
  readonly updatedAt: number;
  readonly read: boolean;
  readonly eventId: string | null;
}

/** The part of a notification that everybody sees, as JSON without the last brace; pictures on this hub begin with a slash. */
export const presentThread = (thread: ShownThread): string => JSON.stringify(threadPart(thread)).slice(0, -1);

/** A notification, of one of the four types, as JSON; `withPictures` finishes it. */
export function presentNotification(body: string, { updatedAt, read, eventId }: State): string {
  const event = eventId === null ? '' : `,"discussionEventId":"${eventId}"`;
  return `${body},"updatedAt":"${timestamp(updatedAt)}","read":${read}${event}}`;
}

/** In JSON no text holds a quote that is not escaped: what is found is the property. */
const PICTURE = '"avatar":"';

/** Notifications with whole addresses of pictures; any number at once, as one search costs less than many. */
export const withPictures = (baseUrl: string, json: string): string =>
  json.replaceAll(`${PICTURE}/`, `${PICTURE}${JSON.stringify(baseUrl).slice(1, -1).replaceAll('$', '$$$$')}/`);

type OwnPart<N> = N extends unknown ? Omit<N, 'updatedAt' | 'read' | 'discussionEventId'> : never;

function threadPart(thread: ShownThread): OwnPart<Notification> {
  const { id, subject, title, accountName, slug } = thread;
  const participating = thread.participants.map(presentParticipant);
  if (isRepoType(subject)) {
    const { num, status, isPullRequest, repoName } = thread;
    return {
      type: 'repo',
      repo: { name: `${accountName}/${repoName}`, type: subject },
      discussion: { num, title, status, id, isPullRequest, participating },
    };
  }
  switch (subject) {
    case 'paper':
      return { type: 'paper', paper: { _id: id, title }, paperDiscussion: { id, participating, paperId: id } };
    case 'post':
      return { type: 'post', post: { id, slug, authorName: accountName, title, participating } };
    case 'community_blog': {
      const { canonical } = thread;
      return {
        type: 'community_blog',
        blog: { id, slug, title, canonical, authorName: accountName, participating },
      };
    }
  }
}

const presentParticipant = ({ id, name, avatarUrl: avatar_url }: Participant) => ({
  _id: id,
  avatar: avatarUrl('', { id, avatar_url }),
  user: name,
});
