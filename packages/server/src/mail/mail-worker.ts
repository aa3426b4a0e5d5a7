import type { Clock } from '../platform/clock.ts';
import { sqlFault } from '../platform/database/sql-errors.ts';
import type { MailRow } from '../platform/database/tables.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Logger } from '../platform/logger.ts';
import { SMTP_CONNECTIONS } from '../platform/mail/smtp.ts';
import type { MailAddress, MailTransport, SendResult } from '../platform/mail/transport.ts';
import { backoffMs, nextDueInMs } from '../platform/queue/due.ts';
import type { Nudge } from '../platform/queue/nudge.ts';
import { composeMail } from './compose.ts';
import { type MailContents, readContents } from './contents.ts';
import { claimMails, deleteMail, failAbandoned, putBack, updateMail } from './store.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly nudge: Nudge;
  readonly transport: MailTransport;
  readonly from: MailAddress;
  /** Where the hub is, for links. */
  readonly hubUrl: () => string;
  /** Where a user turns a kind off; undefined for what cannot be. */
  readonly unsubscribeUrl: (userId: string, kind: string) => string | undefined;
}

/** More than the deadline of a transport: whoever claimed a mail that long ago is not there any more. */
const ABANDONED_MS = 120_000;
/** So long it is tried; then nobody wants to read it any more. */
const TRIED_MS = 24 * 60 * 60 * 1000;

const ABANDONED = 'The hub ended while it sent this; it may have arrived, so it is not sent again';
const TOO_OLD = 'It could not be sent for a day';

interface Ready {
  readonly mail: MailRow;
  readonly contents: MailContents;
}

/**
 * Sends mails that are due, so many at a time as there are connections. A mail is marked as being sent, and that is
 * durable, before anything of it reaches the server; what it says is read in that transaction. It goes back to the queue
 * only when the server certainly does not have it.
 */
export function createMailWorker(given: Dependencies) {
  const { database, clock, logger, nudge, transport, from, hubUrl, unsubscribeUrl } = given;
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  const sending = new Set<Promise<void>>();
  let stopping = false;

  const failed = (mailId: string, reason: string) => logger.error({ mailId, reason }, 'a mail was not sent');

  /** Claims, and reads what each is to say. What has nothing to say goes. */
  async function claim(tx: Executor, limit: number) {
    const now = clock.now();
    const claimed = await claimMails(tx, now, now + ABANDONED_MS, limit);
    const ready: Ready[] = [];
    const expired: string[] = [];
    for (const mail of claimed) {
      if (now - mail.created_at >= TRIED_MS) {
        await updateMail(tx, mail.id, { state: 'failed', error: mail.error ?? TOO_OLD });
        expired.push(mail.id);
        continue;
      }
      const contents = await readContents(tx, mail, hubUrl());
      if (!contents) await deleteMail(tx, mail.id);
      else ready.push({ mail, contents });
      if (contents && 'comments' in contents) {
        const told = contents.comments.map(({ id }) => id);
        await updateMail(tx, mail.id, { data: JSON.stringify(told), last_comment_id: told.at(-1) ?? null });
      }
    }
    return { count: claimed.length, ready, expired };
  }

  async function send({ mail, contents }: Ready): Promise<SendResult> {
    const { id, kind, user_id: userId } = mail;
    const envelope = { id, kind, domain, hubUrl: hubUrl(), now: clock.now() };
    return transport.send(composeMail(contents, { ...envelope, unsubscribeUrl: unsubscribeUrl(userId, kind) }));
  }

  async function record(mail: MailRow, result: SendResult): Promise<void> {
    const now = clock.now();
    switch (result.kind) {
      case 'accepted':
        return updateMail(database.executor, mail.id, { state: 'sent', error: null });
      case 'unknown':
        failed(mail.id, result.reason);
        return updateMail(database.executor, mail.id, {
          state: 'failed',
          error: `It may have arrived, so it is not sent again: ${result.reason}`,
        });
      case 'refused': {
        const { reason } = result;
        // Said at first, and again when it is given up: not at every attempt while a server is away.
        if (result.permanent || mail.attempts === 1) failed(mail.id, reason);
        if (result.permanent) return updateMail(database.executor, mail.id, { state: 'failed', error: reason });
        return sendLater(mail, now + backoffMs(mail.attempts), reason);
      }
    }
  }

  async function sendLater(mail: MailRow, dueAt: number, reason: string): Promise<void> {
    const wait = () => database.transaction((tx) => putBack(tx, mail, dueAt, reason));
    // Another mail about the thread may come to wait at the same time: it is seen then.
    await wait().catch((error: unknown) => {
      if (sqlFault(error) === 'unique') return wait();
      throw error;
    });
  }

  function begin(ready: Ready): void {
    const { mail } = ready;
    const sent = send(ready)
      .then((result) => record(mail, result))
      .catch((error: unknown) => logger.error({ err: error, mailId: mail.id }, 'a mail could not be sent or recorded'))
      .then(() => {
        sending.delete(sent);
        nudge();
      });
    sending.add(sent);
  }

  /** Resolves when nothing is in flight. */
  async function settled(): Promise<void> {
    while (sending.size > 0) await Promise.all(sending);
  }

  /** What somebody claimed before a time and never told the end of. */
  async function giveUpAbandoned(before: number): Promise<void> {
    for (const id of await failAbandoned(database.executor, before, ABANDONED)) failed(id, ABANDONED);
  }

  return {
    /** At a start that knows that nobody else works: what a process that died was sending is not sent again. */
    takeBack: (): Promise<void> => giveUpAbandoned(Number.MAX_SAFE_INTEGER),

    round: async (): Promise<{ done: number; dueInMs?: number | undefined }> => {
      await giveUpAbandoned(clock.now());
      const places = SMTP_CONNECTIONS - sending.size;
      if (stopping || places <= 0) return { done: 0 };
      const { count, ready, expired } = await database.transaction((tx) => claim(tx, places));
      for (const id of expired) failed(id, TOO_OLD);
      for (const each of ready) begin(each);
      if (count > 0) return { done: count };
      return { done: 0, dueInMs: await nextDueInMs(database.executor, 'mails', clock.now()) };
    },

    settled,

    /** Claims no more, in the round that is on either. */
    stop(): void {
      stopping = true;
    },

    /** Puts back what has not begun, and waits for the rest. */
    async finish(): Promise<void> {
      transport.stop();
      await settled();
      await transport[Symbol.asyncDispose]();
    },
  };
}
