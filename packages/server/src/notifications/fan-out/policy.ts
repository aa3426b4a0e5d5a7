import { isRepoType, type Subject, WATCHES } from '../inbox/subject.ts';
import type { Recipient } from './recipients.ts';

/** Whether somebody who may be told finds it in the list: the settings that begin with `web_` (W§4). */
export function isListed(subject: Subject, { involvement, settings }: Recipient): boolean {
  if (!isRepoType(subject)) return settings.web_posts_participating;
  // A reason to take part goes before one to watch, also where its setting is off.
  return involvement > WATCHES ? settings.web_discussions_participating : settings.web_discussions_watched;
}

/** The setting by which somebody who may be told gets a mail, or undefined for none. */
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
  return hasAddress && settings[key] ? key : undefined;
}
