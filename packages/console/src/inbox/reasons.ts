import type { NotificationReason } from '@moonbase/client/notifications';

export type Reason = NotificationReason;

const namesOf = ({ watched }: Reason): string => watched.map(({ name }) => name).join(' and ');

/** Returns the sentence that says why the user has a notification. */
export function sentenceOf(reason: Reason): string {
  switch (reason.reason) {
    case 'mentioned':
      return 'You were mentioned';
    case 'participating':
      return 'You take part';
    case 'author':
      return 'You are the author';
    case 'requests':
      return 'You decide about requests';
    case 'watching':
      return reason.watched.length === 0 ? 'You watched this' : `You watch ${namesOf(reason)}`;
  }
}

/** What a user can do so that such notifications do not come any more, or come again. */
export type Leaving = 'unwatch' | 'watch' | 'mute' | 'unmute';

export const UNDOES = { unwatch: 'watch', watch: 'unwatch', mute: 'unmute', unmute: 'mute' } as const;

/** Returns what ends notifications like one, the least of it last. */
export function waysOut({ reason, watched, muted }: Reason): readonly Leaving[] {
  if (muted) return ['unmute'];
  if (reason === 'requests') return [];
  return reason === 'watching' && watched.length > 0 ? ['unwatch', 'mute'] : ['mute'];
}

/** Returns what has happened, as a sentence. */
export function outcomeOf(leaving: Leaving, title: string, reason: Reason): string {
  switch (leaving) {
    case 'unwatch':
      return `You no longer watch ${namesOf(reason)}.`;
    case 'watch':
      return `You watch ${namesOf(reason)} again.`;
    case 'mute':
      return `“${title}” is muted.`;
    case 'unmute':
      return `“${title}” is no longer muted.`;
  }
}
