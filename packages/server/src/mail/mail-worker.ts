import type { Texts } from '../comments/index.ts';
import type { Clock } from '../platform/clock.ts';
import { sqlFault } from '../platform/database/sql-errors.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Logger } from '../platform/logger.ts';
import { SMTP_CONNECTIONS } from '../platform/mail/smtp.ts';
import type { MailAddress, MailTransport, SendResult } from '../platform/mail/transport.ts';
import type { Care } from '../platform/queue/care.ts';
import { MAX_FAILURES, type SetAside } from '../platform/queue/dead-letters.ts';
import { backoffMs, nextDueInMs, postpone } from '../platform/queue/due.ts';
import { describeFault, isPassing } from '../platform/queue/fault.ts';
import type { Nudge } from '../platform/queue/nudge.ts';
import { composeMail } from './compose.ts';
import { type MailContents, readContents } from './contents.ts';
import type { NoticeParts } from './notices.ts';
import { claimMails, deleteMail, failAbandoned, putBack, updateMail } from './store.ts';
import type { MailRow } from './tables.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly nudge: Nudge;
  readonly texts: Texts;
  readonly transport: MailTransport;
  readonly setAside: SetAside;
  readonly care: Care;
  readonly from: MailAddress;
  /** Where the hub is, for links. */
  readonly hubUrl: () => string;
  /** Where a user turns a kind off; undefined for what cannot be. */
  readonly unsubscribeUrl: (userId: string, kind: string) => string | undefined;
  readonly invitationUrl: NoticeParts['invitationUrl'];
}

/** More than the deadline of a transport: whoever claimed a mail that long ago is not there any more. */
const ABANDONED_MS = 120_000;
/** So long it is tried; then nobody wants to read it any more. */
const TRIED_MS = 24 * 60 * 60 * 1000;

const ABANDONED = 'The hub ended while it sent this; it may have arrived, so it is not sent again';
const TOO_OLD = 'It could not be sent for a day';

interface Wanted {
  readonly limit: number;
  readonly only?: readonly string[];
}

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
  const { database, clock, logger, nudge, texts, transport, setAside, care, from, hubUrl } = given;
  const { unsubscribeUrl, invitationUrl } = given;
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  const sending = new Set<Promise<void>>();
  let stopping = false;

  const failed = (mailId: string, reason: string) => logger.error({ mailId, reason }, 'a mail was not sent');

  /** Claims, and reads what each is to say. What has nothing to say goes. */
  async function claim(tx: Executor, { limit, only }: Wanted, atHand: { id?: string | undefined }) {
    const now = clock.now();
    const claimed = await claimMails(tx, { now, until: now + ABANDONED_MS, limit, only });
    const ready: Ready[] = [];
    const expired: string[] = [];
    for (const mail of claimed) {
      atHand.id = mail.id;
      if (now - mail.created_at >= TRIED_MS) {
        await updateMail(tx, mail.id, { state: 'failed', error: mail.error ?? TOO_OLD });
        expired.push(mail.id);
        continue;
      }
      const contents = await readContents(tx, mail, { hubUrl: hubUrl(), invitationUrl, now });
      if (!contents) await deleteMail(tx, mail.id);
      else ready.push({ mail, contents });
      if (contents && 'comments' in contents) {
        const told = contents.comments.map(({ id }) => id);
        await updateMail(tx, mail.id, { data: JSON.stringify(told), last_comment_id: told.at(-1) ?? null });
      }
    }
    atHand.id = undefined;
    return { count: claimed.length, ready, expired };
  }

  /** Claims what is due. A mail that cannot be read is put off, so that it holds up no other. */
  async function claimDue(wanted: Wanted): ReturnType<typeof claim> {
    const atHand: { id?: string | undefined } = {};
    try {
      return await database.transaction((tx) => claim(tx, wanted, atHand), { cutOff: true });
    } catch (error) {
      const { id } = atHand;
      if (id === undefined) throw error;
      const attempts = await postpone(database, 'mails', id, { now: clock.now(), error, setAside });
      logger.error({ err: error, mailId: id, attempts }, 'a mail could not be read; it will be tried again');
      return { count: 1, ready: [], expired: [] };
    }
  }

  function compose({ mail, contents }: Ready) {
    const { id, kind, user_id: userId } = mail;
    const envelope = { id, kind, domain, hubUrl: hubUrl(), now: clock.now() };
    const left = { ...envelope, unsubscribeUrl: unsubscribeUrl(userId, kind) };
    return composeMail(contents, left, texts);
  }

  /** Nothing of it has reached the server. */
  async function notComposed(mail: MailRow, error: unknown): Promise<void> {
    logger.error({ err: error, mailId: mail.id, attempts: mail.attempts }, 'a mail could not be composed');
    const cause = { error: describeFault(error), failures: mail.attempts, deaths: 0 };
    if (mail.attempts < MAX_FAILURES || isPassing(error))
      return sendLater(mail, clock.now() + backoffMs(mail.attempts), cause.error);
    await database.transaction((tx) => setAside(tx, 'mails', mail.id, cause));
  }

  async function send(ready: Ready): Promise<void> {
    let composed: Awaited<ReturnType<typeof compose>>;
    try {
      composed = await compose(ready);
    } catch (error) {
      return notComposed(ready.mail, error);
    }
    return record(ready.mail, await transport.send(composed));
  }

  async function record(mail: MailRow, result: SendResult): Promise<void> {
    const now = clock.now();
    const keep = (change: Pick<MailRow, 'state' | 'error'>) =>
      database.transaction((tx) => updateMail(tx, mail.id, change));
    switch (result.kind) {
      case 'accepted':
        return keep({ state: 'sent', error: null });
      case 'unknown':
        failed(mail.id, result.reason);
        return keep({ state: 'failed', error: `It may have arrived, so it is not sent again: ${result.reason}` });
      case 'refused': {
        const { reason } = result;
        // Said at first, and again when it is given up: not at every attempt while a server is away.
        if (result.permanent || mail.attempts === 1) failed(mail.id, reason);
        if (result.permanent) return keep({ state: 'failed', error: reason });
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

  async function sendDue(wanted: Wanted): Promise<number> {
    const { count, ready, expired } = await claimDue(wanted);
    for (const id of expired) failed(id, TOO_OLD);
    for (const each of ready) begin(each);
    return count;
  }

  function begin(ready: Ready): void {
    const { mail } = ready;
    const sent = send(ready)
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
    const ids = await database.transaction((tx) => failAbandoned(tx, before, ABANDONED));
    for (const id of ids) failed(id, ABANDONED);
  }

  return {
    /** At a start that knows that nobody else works: what a process that died was sending is not sent again. */
    takeBack: (): Promise<void> => giveUpAbandoned(Number.MAX_SAFE_INTEGER),

    round: async (): Promise<{ done: number; dueInMs?: number | undefined }> => {
      await giveUpAbandoned(clock.now());
      const places = SMTP_CONNECTIONS - sending.size;
      if (stopping || places <= 0) return { done: 0 };
      const count = care.isOn('mails')
        ? await care.carefully('mails', places, (only) => sendDue({ limit: places, only }))
        : await sendDue({ limit: places });
      if (count > 0) return { done: count };
      return { done: 0, dueInMs: await nextDueInMs(database.read, 'mails', clock.now()) };
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
