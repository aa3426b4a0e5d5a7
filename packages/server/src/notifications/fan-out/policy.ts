import { isRepoType, type Subject, WATCHES } from '../inbox/subject.ts';
import type { Recipient } from './recipient-store.ts';

/** Whether an activity appears in the inbox of a user who may be notified of it: the settings `web_…` (W§4). */
export function isListed(subject: Subject, { involvement, settings }: Recipient): boolean {
  if (!isRepoType(subject)) return settings.has('web_posts_participating');
  // The setting for participants decides for a participant who also watches, even where it is off.
  return settings.has(involvement > WATCHES ? 'web_discussions_participating' : 'web_discussions_watched');
}

/** Returns the setting by which a user who may be notified gets a mail; undefined where the user gets none. */
export function mailKind(
  subject: Subject,
  { involvement, isOwner, hasAddress, settings }: Recipient,
): 'discussions_participating' | 'discussions_watched' | 'posts_participating' | 'arxiv_paper_activity' | undefined {
  const key = isRepoType(subject)
    ? involvement > WATCHES
      ? 'discussions_participating'
      : 'discussions_watched'
    : subject === 'paper' && isOwner
      ? 'arxiv_paper_activity'
      : 'posts_participating';
  return hasAddress && settings.has(key) ? key : undefined;
}
