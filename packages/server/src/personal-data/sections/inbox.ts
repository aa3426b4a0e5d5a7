import { timestamp } from '../../platform/clock.ts';
import { type Section, stored } from '../section.ts';
import { notificationsIn } from './inbox-store.ts';

type Row = Awaited<ReturnType<ReturnType<typeof notificationsIn>>>[number];

/** The words for `involvement`: 0 watches, 1 takes part, 2 was mentioned. */
const REASONS = ['watching', 'participating', 'mentioned'] as const;

const present = ({ thread_id, subject, involvement, updated_at, read }: Row) => ({
  ...{ threadId: thread_id, type: subject, reason: REASONS[involvement] },
  updatedAt: timestamp(updated_at),
  read: read === 1,
});

/** The notifications of the user, without what others wrote. */
export const inboxSections: readonly Section[] = [
  stored('notifications', { rows: notificationsIn('notifications'), present }),
  stored('doneNotifications', { rows: notificationsIn('done_notifications'), present }),
  stored('suspendedNotifications', { rows: notificationsIn('hidden_notifications'), present }),
];
