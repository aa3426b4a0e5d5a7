import type { VouchedAddresses } from '../../organizations/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Executor } from '../../platform/database/transaction.ts';
import type { InformingLogger } from '../../platform/logger.ts';
import type { SetAside } from '../../platform/queue/dead-letters.ts';
import { postpone } from '../../platform/queue/due.ts';
import type { NoticeParts } from '../contents/notice.ts';
import { type MailContents, readContents } from '../contents/read-contents.ts';
import { claimMails, deleteMail, MAILS, updateMail } from '../store.ts';
import type { MailRow } from '../tables.ts';

export interface ClaimDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: InformingLogger;
  readonly setAside: SetAside;
  /** Returns the address of the hub, for links. */
  readonly hubUrl: () => string;
  readonly invitationUrl: NoticeParts['invitationUrl'];
  readonly linkUrl: NoticeParts['linkUrl'];
  readonly vouched: VouchedAddresses;
}

/** How many mails to claim, and with `only` from which mails. */
export interface ClaimBatch {
  readonly limit: number;
  readonly only?: readonly string[];
}

/** A mail that is marked as being sent, with what it says. */
export interface ReadyMail {
  readonly mail: MailRow;
  readonly contents: MailContents;
}

interface ClaimedMails {
  readonly count: number;
  readonly ready: readonly ReadyMail[];
  /** Mails that failed because they were due for too long. */
  readonly expired: readonly string[];
}

/** A claim that is this old is abandoned: every transport gives up sooner. */
const MAX_CLAIM_MS = 120_000;
/** After this time nobody wants to read a mail any more. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

export const TOO_OLD = 'It could not be sent for a day';

/**
 * Returns the function that claims due mails and reads what they say, in one transaction. A mail with nothing to say is
 * deleted. A mail that cannot be read is postponed, so that it does not hold up the others.
 */
export function createClaims(given: ClaimDependencies) {
  const { database, clock, logger, setAside, hubUrl, invitationUrl, linkUrl, vouched } = given;

  /** Returns what a mail says now, and notes which comments it contains; deletes a mail that has nothing to say. */
  async function read(tx: Executor, mail: MailRow, now: number): Promise<MailContents | undefined> {
    const contents = await readContents(tx, mail, { hubUrl: hubUrl(), invitationUrl, linkUrl, vouched, now });
    if (!contents) await deleteMail(tx, mail.id);
    else if ('comments' in contents) {
      const mailed = contents.comments.map(({ id }) => id);
      await updateMail(tx, mail.id, { data: JSON.stringify(mailed), last_comment_id: mailed.at(-1) ?? null });
    }
    return contents;
  }

  async function claim(
    tx: Executor,
    { limit, only }: ClaimBatch,
    reading: { id?: string | undefined },
  ): Promise<ClaimedMails> {
    const now = clock.now();
    const claimed = await claimMails(tx, { now, until: now + MAX_CLAIM_MS, limit, only });
    const ready: ReadyMail[] = [];
    const expired: string[] = [];
    for (const mail of claimed) {
      reading.id = mail.id;
      if (now - mail.created_at >= MAX_AGE_MS) {
        await updateMail(tx, mail.id, { state: 'failed', error: mail.error ?? TOO_OLD });
        expired.push(mail.id);
        continue;
      }
      const contents = await read(tx, mail, now);
      if (contents) ready.push({ mail, contents });
    }
    reading.id = undefined;
    return { count: claimed.length, ready, expired };
  }

  return async (wanted: ClaimBatch): Promise<ClaimedMails> => {
    const reading: { id?: string | undefined } = {};
    try {
      return await database.transaction((tx) => claim(tx, wanted, reading), { cutOff: true });
    } catch (error) {
      const { id } = reading;
      if (id === undefined) throw error;
      const attempts = await postpone(database, MAILS, id, { now: clock.now(), error, setAside });
      logger.error({ err: error, mailId: id, attempts }, 'a mail could not be read; it will be tried again');
      return { count: 1, ready: [], expired: [] };
    }
  };
}
