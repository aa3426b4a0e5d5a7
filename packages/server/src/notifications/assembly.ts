import type { Texts } from '../comments/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Ids } from '../platform/ids.ts';
import type { Join } from '../platform/queue/broadcast.ts';
import { createSignals } from '../platform/queue/signals.ts';
import { createPruneNotifications } from './clean-up/prune.ts';
import { createRemoval } from './clean-up/removal.ts';
import { createSuspension } from './clean-up/suspend.ts';
import { createFanOut, type QueueMails } from './fan-out/fan-out.ts';
import { createInboxes } from './inbox/inboxes.ts';
import { createNotifications } from './inbox/service.ts';
import { createNotificationStreams } from './stream.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly texts: Texts;
  readonly join: Join;
  /** Queues mails about what somebody is notified of, where the hub sends mail. */
  readonly queueMails: QueueMails | undefined;
  readonly settings: { readonly notificationDays: number; readonly mail?: { readonly quietMs: number } | undefined };
}

/** The parts of this slice, put together. */
export function createNotificationParts({ database, clock, ids, texts, join, queueMails, settings }: Dependencies) {
  const signals = createSignals(join, 'inboxes');
  const inboxes = createInboxes({ signals });
  const streams = createNotificationStreams({ database, signals });
  return {
    services: { notifications: createNotifications({ database, inboxes }), streams },
    notify: createFanOut({ clock, ids, inboxes, texts, queueMails, mailQuietMs: settings.mail?.quietMs ?? 0 }),
    removal: createRemoval({ inboxes }),
    suspend: createSuspension({ inboxes }),
    prune: createPruneNotifications({ clock, inboxes, days: settings.notificationDays }),
    closeStreams: streams.close,
  };
}
