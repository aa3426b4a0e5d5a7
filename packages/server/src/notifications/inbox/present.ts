import type { Notification } from '@moonbase/contract/notifications/notifications';
import type { DiscussionStatus } from '@moonbase/contract/webhooks/payload';
import { avatarUrl } from '../../accounts/index.ts';
import { timestamp } from '../../platform/clock.ts';
import { isRepoType, type Subject } from './subject.ts';

/*
 * A notification is JSON in two parts: the preview of its thread, which is the same for everybody and stored ready to be sent,
 * and the state of one reader. A list is put together from these texts without parsing them.
 */

export interface Participant {
  readonly id: string;
  readonly name: string;
  readonly avatarUrl: string | null;
}

/** A thread as previews show it. */
export interface PreviewedThread {
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
  /** Those who wrote last come first. */
  readonly participants: readonly Participant[];
}

/** What a notification tells one reader, beside the preview. */
interface ReaderState {
  readonly updatedAt: number;
  readonly read: boolean;
  readonly eventId: string | null;
}

/**
 * Returns the preview of a thread: a JSON object without its closing brace, so that `presentNotification` can add properties.
 * Addresses of avatars on this hub have no origin: they begin with a slash.
 */
export const presentThread = (thread: PreviewedThread): string => JSON.stringify(threadPart(thread)).slice(0, -1);

/** Returns the JSON of a notification, with avatars as they are in the preview. */
export function presentNotification(preview: string, { updatedAt, read, eventId }: ReaderState): string {
  const event = eventId === null ? '' : `,"discussionEventId":"${eventId}"`;
  return `${preview},"updatedAt":"${timestamp(updatedAt)}","read":${read}${event}}`;
}

/** The property of an avatar in JSON. Texts cannot contain this sequence: JSON escapes their quotation marks. */
const AVATAR = '"avatar":"';

/** Returns JSON of any number of notifications with the hub's address in front of avatars that begin with a slash. */
export const withAvatarOrigin = (baseUrl: string, json: string): string =>
  json.replaceAll(`${AVATAR}/`, asReplacement(`${AVATAR}${JSON.stringify(baseUrl).slice(1, -1)}/`));

/** `replaceAll` gives a dollar sign in its replacement a meaning, except where it is doubled. */
const asReplacement = (text: string): string => text.replaceAll('$', '$$$$');

type ThreadPart<N> = N extends unknown ? Omit<N, 'updatedAt' | 'read' | 'discussionEventId'> : never;

function threadPart(thread: PreviewedThread): ThreadPart<Notification> {
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
