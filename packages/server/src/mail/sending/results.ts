import type { Clock } from '../../platform/clock.ts';
import { sqlFault } from '../../platform/database/sql-errors.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { InformingLogger } from '../../platform/logger.ts';
import { createOutage } from '../../platform/logging/outage.ts';
import type { SendResult } from '../../platform/mail/transport.ts';
import { MAX_FAILURES, type SetAside } from '../../platform/queue/dead-letters.ts';
import { backoffMs } from '../../platform/queue/due.ts';
import { describeFault, isTransient } from '../../platform/queue/fault.ts';
import { failAbandoned, requeueMail, updateMail } from '../store.ts';
import type { MailRow } from '../tables.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: InformingLogger;
  readonly setAside: SetAside;
}

const ABANDONED = 'The hub ended while it sent this; it may have arrived, so it is not sent again';

/**
 * Records how the sending of claimed mails ended. A mail returns to the queue only where the mail server certainly does not
 * have it.
 */
export function createResults({ database, clock, logger, setAside }: Dependencies) {
  const outage = createOutage({
    clock,
    onFailing: (details) => logger.error(details, 'mails are not sent; they are tried again'),
    onWorking: (details) => logger.info(details, 'the mail server takes mails again'),
  });
  const logFailure = (mailId: string, reason: string) => logger.error({ mailId, reason }, 'a mail was not sent');

  const update = (mail: MailRow, change: Pick<MailRow, 'state' | 'error'>) =>
    database.transaction((tx) => updateMail(tx, mail.id, change));

  async function retryLater(mail: MailRow, reason: string): Promise<void> {
    const dueAt = clock.now() + backoffMs(mail.attempts);
    const wait = () => database.transaction((tx) => requeueMail(tx, mail, dueAt, reason));
    // The unique index fails where another mail about the thread was queued meanwhile; the second try sees that mail.
    await wait().catch((error: unknown) => {
      if (sqlFault(error) === 'unique') return wait();
      throw error;
    });
  }

  return {
    logFailure,

    /** Tells the log that the server cannot be used. */
    noteUnusable: (reason: string): void => outage.failed({ reason }),

    /** Fails mails that a process claimed before a time and for which it recorded no result. */
    async failAbandoned(before: number): Promise<void> {
      const ids = await database.transaction((tx) => failAbandoned(tx, before, ABANDONED));
      for (const id of ids) logFailure(id, ABANDONED);
    },

    /** Records that a mail could not be composed: nothing of it reached the server. */
    async recordFault(mail: MailRow, error: unknown): Promise<void> {
      logger.error({ err: error, mailId: mail.id, attempts: mail.attempts }, 'a mail could not be composed');
      const cause = { error: describeFault(error), failures: mail.attempts, deaths: 0 };
      if (mail.attempts < MAX_FAILURES || isTransient(error)) return retryLater(mail, cause.error);
      await database.transaction((tx) => setAside(tx, 'mails', mail.id, cause));
    },

    async record(mail: MailRow, result: SendResult): Promise<void> {
      switch (result.kind) {
        case 'accepted':
          outage.worked();
          return update(mail, { state: 'sent', error: null });
        case 'unknown': {
          logFailure(mail.id, result.reason);
          const error = `It may have arrived, so it is not sent again: ${result.reason}`;
          return update(mail, { state: 'failed', error });
        }
        case 'refused': {
          const { permanent, reason } = result;
          // Logged at the first and at the last attempt only, and not for each mail: a server may be away for hours.
          if (permanent) logFailure(mail.id, reason);
          else if (mail.attempts === 1) outage.failed({ mailId: mail.id, reason });
          return permanent ? update(mail, { state: 'failed', error: reason }) : retryLater(mail, reason);
        }
      }
    },
  };
}
