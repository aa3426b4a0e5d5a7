import { authorize } from '../access/index.ts';
import { type Account, findAccount, findAccountById, requireUser, unlimited } from '../accounts/index.ts';
import { type AuditLog, recordForSite } from '../audit-log/index.ts';
import { type Clock, timestamp } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Caller, Principal } from '../platform/http/authenticate.ts';
import { forbidden } from '../platform/http/errors.ts';
import { createPlaces } from './places.ts';
import type { Section, Subject } from './section.ts';

/** The version of the form of exports. */
const VERSION = 1;
/** A client that accepts nothing for this long is cut off. */
const STALL_MS = 60_000;
/** How often the rights of the caller are checked again. */
const JUDGED_EVERY_MS = 1_000;
/** A client that reads slowly is cut off after this time, so that it does not keep its place for ever. */
const MAX_DURATION_MS = 60 * 60_000;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: AuditLog;
  readonly sections: readonly Section[];
  readonly stallMs?: number | undefined;
}

/** An export that has begun. */
export interface Export {
  readonly fileName: string;
  readonly lines: AsyncIterable<readonly object[]>;
  /** To be called once no more lines are read. */
  readonly end: () => void;
}

interface Asked {
  /** Returns the caller as of now; throws 401 if the credential is no longer valid. */
  readonly identify: () => Promise<Caller>;
  /** Whether only the headers are asked for: nothing is exported then. */
  readonly headOnly: boolean;
}

export type PersonalData = ReturnType<typeof createPersonalData>;

/** Exports what the hub has about a user. */
export function createPersonalData({ database, clock, audit, sections, stallMs = STALL_MS }: Dependencies) {
  const takePlace = createPlaces();

  async function* linesOf(subject: Subject, judge: () => Promise<void>): AsyncGenerator<object[]> {
    const { userName } = subject.asUser.principal;
    yield [{ section: 'export', version: VERSION, user: userName, createdAt: timestamp(clock.now()) }];
    let items = 0;
    for (const { name, pages } of sections)
      for await (const page of pages(subject)) {
        await judge();
        items += page.length;
        yield page.map((item) => ({ section: name, ...item }));
      }
    yield [{ section: 'end', items }];
  }

  /** Takes a place and records the export, before anything of it is sent. */
  async function begin(caller: Caller, user: Account, headOnly: boolean, judge: () => Promise<void>): Promise<Export> {
    const fileName = `${user.name}-${timestamp(clock.now()).slice(0, 10)}.ndjson`;
    if (headOnly) return { fileName, lines: nothing(), end() {} };
    const end = await takePlace(user.id);
    try {
      await database.transaction((tx) =>
        recordForSite(audit, tx, caller, {
          type: 'user.export',
          message: `Exported the personal data of ${user.name}`,
          data: { user: { _id: user.id, user: user.name } },
        }),
      );
    } catch (error) {
      end();
      throw error;
    }
    const subject = { read: database.read, userId: user.id, asUser: { ...caller, principal: unlimited(user) } };
    return { fileName, lines: linesOf(subject, judge), end };
  }

  return {
    stallMs,

    /** Exports the data of the caller. Throws 403 for a restricted token, 429 if too many exports run. */
    async own(caller: Caller, { identify, headOnly }: Asked): Promise<Export> {
      const { principal } = caller;
      requireUnrestricted(principal);
      const user = requireUser(await findAccountById(database.read, principal.userId), principal.userName);
      return begin(
        caller,
        user,
        headOnly,
        everySecond(async () => requireUnrestricted((await identify()).principal)),
      );
    },

    /** Exports the data of any user, even a disabled one. Throws 404 for an unknown user, 429 if too many exports run. */
    async of(caller: Caller, name: string, { identify, headOnly }: Asked): Promise<Export> {
      const user = requireUser(await findAccount(database.read, name), name);
      return begin(
        caller,
        user,
        headOnly,
        everySecond(async () => authorize((await identify()).principal, 'site-admin')),
      );
    },
  };
}

async function* nothing(): AsyncGenerator<object[]> {}

/** Throws 403 unless a caller has all rights of its user: by a session, or by an access token that nothing restricts. */
function requireUnrestricted({ token: { role, oauth, cutOff } }: Principal): void {
  if (role === 'write' && !oauth && !cutOff) return;
  throw forbidden('This needs a browser session, or an access token with the role write that no organization refuses');
}

/** Returns a check that runs at most once a second, and fails for good after an hour. */
function everySecond(check: () => Promise<void>): () => Promise<void> {
  const begun = performance.now();
  let checkedAt = begun;
  return async () => {
    const now = performance.now();
    if (now - begun > MAX_DURATION_MS) throw new Error('An export took too long');
    if (now - checkedAt < JUDGED_EVERY_MS) return;
    await check();
    checkedAt = now;
  };
}
