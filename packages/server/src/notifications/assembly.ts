import type { Texts } from '../comments/index.ts';
import type { VouchedAddresses } from '../organizations/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Ids } from '../platform/ids.ts';
import type { JoinTopic } from '../platform/queue/broadcast.ts';
import { createSignals } from '../platform/queue/signals.ts';
import { createPruneNotifications } from './clean-up/prune.ts';
import { createCleanUp } from './clean-up/reactions.ts';
import { createSuspension } from './clean-up/suspend.ts';
import { createDoneNotifications } from './done/done.ts';
import { createFanOut, type QueueMails } from './fan-out/fan-out.ts';
import { createInboxes } from './inbox/inboxes.ts';
import { createNotifications } from './inbox/service.ts';
import { createNotificationStreams } from './stream.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly texts: Texts;
  readonly vouched: VouchedAddresses;
  readonly join: JoinTopic;
  /** Queues mails about notifications; undefined where the hub sends no mail. */
  readonly queueMails: QueueMails | undefined;
  readonly settings: { readonly notificationDays: number; readonly mail?: { readonly quietMs: number } | undefined };
}

/** Puts the parts of this slice together. */
export function createNotificationParts(dependencies: Dependencies) {
  const { database, clock, ids, texts, vouched, join, queueMails, settings } = dependencies;
  const signals = createSignals(join, 'inboxes');
  const inboxes = createInboxes({ signals });
  const streams = createNotificationStreams({ database, signals });
  return {
    services: {
      notifications: createNotifications({ database, inboxes }),
      done: createDoneNotifications({ database, inboxes }),
      streams,
    },
    notify: createFanOut({
      ...{ clock, ids, inboxes, texts, vouched, queueMails },
      mailQuietMs: settings.mail?.quietMs ?? 0,
    }),
    cleanUp: createCleanUp({ inboxes }),
    suspend: createSuspension({ inboxes }),
    prune: createPruneNotifications({ clock, inboxes, days: settings.notificationDays }),
    closeStreams: streams.close,
  };
}
