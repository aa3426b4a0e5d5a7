import type { Texts } from '../../comments/index.ts';
import { SMTP_CONNECTIONS } from '../../platform/mail/smtp.ts';
import type { MailAddress, MailMessage, MailTransport } from '../../platform/mail/transport.ts';
import type { CrashGuard } from '../../platform/queue/crash-guard/crash-guard.ts';
import { nextDueInMs } from '../../platform/queue/due.ts';
import type { Nudge } from '../../platform/queue/nudge.ts';
import { composeMail } from '../contents/compose.ts';
import { MAILS } from '../store.ts';
import { type ClaimBatch, type ClaimDependencies, createClaims, type ReadyMail, TOO_OLD } from './claims.ts';
import { createResults } from './results.ts';

interface Dependencies extends ClaimDependencies {
  readonly nudge: Nudge;
  readonly texts: Texts;
  readonly transport: MailTransport;
  readonly crashGuard: CrashGuard;
  readonly from: MailAddress;
  /** Returns the address at which a user turns a kind of mail off; undefined for a kind that cannot be turned off. */
  readonly unsubscribeUrl: (userId: string, kind: string) => string | undefined;
}

/**
 * Sends due mails, as many at a time as there are connections to the server. A mail is durably marked as being sent before
 * any part of it reaches the server: it is sent at most once.
 */
export function createMailWorker(given: Dependencies) {
  const { database, clock, logger, nudge, texts, transport, crashGuard, from, hubUrl, unsubscribeUrl } = given;
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  const claim = createClaims(given);
  const results = createResults(given);
  const sending = new Set<Promise<void>>();
  let stopping = false;

  function compose({ mail, contents }: ReadyMail): Promise<MailMessage> {
    const { id, kind, user_id: userId } = mail;
    const envelope = { id, kind, domain, hubUrl: hubUrl(), now: clock.now() };
    const unsubscribe = userId === null ? undefined : unsubscribeUrl(userId, kind);
    return composeMail(contents, { ...envelope, unsubscribeUrl: unsubscribe }, texts);
  }

  async function send(ready: ReadyMail): Promise<void> {
    let message: MailMessage;
    try {
      message = await compose(ready);
    } catch (error) {
      return results.recordFault(ready.mail, error);
    }
    return results.record(ready.mail, await transport.send(message));
  }

  function begin(ready: ReadyMail): void {
    const { mail } = ready;
    const sent = send(ready)
      .catch((error: unknown) => logger.error({ err: error, mailId: mail.id }, 'a mail could not be sent or recorded'))
      .then(() => {
        sending.delete(sent);
        nudge();
      });
    sending.add(sent);
  }

  /** Begins to send due mails; returns how many were claimed. */
  async function sendDue(wanted: ClaimBatch): Promise<number> {
    const { count, ready, expired } = await claim(wanted);
    for (const id of expired) results.logFailure(id, TOO_OLD);
    for (const each of ready) begin(each);
    return count;
  }

  /** Resolves when nothing is in flight. */
  async function settled(): Promise<void> {
    while (sending.size > 0) await Promise.all(sending);
  }

  return {
    /** Fails every mail that is marked as being sent: called at a start at which no other process works. */
    takeBack: (): Promise<void> => results.failAbandoned(Number.MAX_SAFE_INTEGER),

    round: async (): Promise<{ done: number; dueInMs?: number | undefined }> => {
      await results.failAbandoned(clock.now());
      const places = SMTP_CONNECTIONS - sending.size;
      if (stopping || places <= 0) return { done: 0 };
      const count = crashGuard.isActive('mails')
        ? await crashGuard.processDue(MAILS, places, (only) => sendDue({ limit: places, only }))
        : await sendDue({ limit: places });
      if (count > 0) return { done: count };
      return { done: 0, dueInMs: await nextDueInMs(database.read, MAILS, { now: clock.now() }) };
    },

    settled,

    /** Tells the log at the start of a hub if its mail server cannot be used. */
    async check(): Promise<void> {
      const reason = await transport.check();
      if (reason !== undefined) results.noteUnusable(reason);
    },

    /** Claims no more mails, not even in the current round. */
    stop(): void {
      stopping = true;
    },

    /** Waits for the mails in flight; those that the transport has not begun to send return to the queue. */
    async finish(): Promise<void> {
      transport.stop();
      await settled();
      await transport[Symbol.asyncDispose]();
    },
  };
}
