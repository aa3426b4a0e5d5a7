import { cutOffFrom, cutOffs } from '../src/access/index.ts';
import { createAccounts } from '../src/accounts/index.ts';
import { createAuditLog } from '../src/audit-log/index.ts';
import { createDiscussions } from '../src/discussions/index.ts';
import { createMailReactions, createMailWorker, createUnsubscribing, queueThreadMails } from '../src/mail/index.ts';
import type { MailRow } from '../src/mail/tables.ts';
import { createInvitationSecrets } from '../src/members/index.ts';
import { createEvents } from '../src/platform/events/events.ts';
import type { Caller } from '../src/platform/http/authenticate.ts';
import { createIds } from '../src/platform/ids.ts';
import { createSmtp } from '../src/platform/mail/smtp.ts';
import { createNudge } from '../src/platform/queue/nudge.ts';
import { createSigner } from '../src/platform/secrets.ts';
import { createRepositories } from '../src/repositories/index.ts';
import { vouchedAddresses } from '../src/scim/index.ts';
import { turnOff } from '../src/settings/index.ts';
import { createTestClock } from './clock.ts';
import { noContents } from './no-contents.ts';
import { openTestDatabase } from './open-test-database.ts';
import { createTestCrashGuard, noSetAside } from './set-aside.ts';
import { startMailServer } from './smtp-server.ts';
import { testTexts } from './texts.ts';

export const FROM = { name: 'Moonbase', address: 'hub@mail.example.com' };
export const HUB = 'https://hub.example.com';
export const QUIET_MS = 60_000;

/** A user in the form of a caller of services. */
export interface Person extends Caller {
  readonly email: string;
}

interface Options {
  /** The URL of a server that replaces the default one, which accepts everything. */
  readonly smtpUrl?: string;
  readonly deadlineMs?: number;
}

/**
 * Opens repositories, discussions and the mails about them, with a mail server on loopback; `tell` plays the decision
 * on recipients.
 */
export async function startMailFixture({ smtpUrl, deadlineMs }: Options = {}) {
  const opened = await openTestDatabase();
  const { database } = opened;
  const server = await startMailServer();
  const clock = createTestClock();
  const ids = createIds(clock);
  const nudge = createNudge();
  const events = createEvents({ clock, ids, nudge });
  const accounts = createAccounts({ database, clock, ids, events, cutOffs: { column: cutOffs, read: cutOffFrom } });
  const repositories = createRepositories({
    database,
    clock,
    ids,
    events,
    audit: createAuditLog({ clock, ids }),
    contents: noContents,
  });
  const discussions = createDiscussions({
    ...{
      database,
      clock,
      ids,
      events,
      texts: testTexts,
      contents: noContents,
      largeFiles: noContents,
      settings: { discussionDailyLimit: undefined },
    },
  });
  const signer = createSigner('a key for tests, long enough to be taken', 'tests');
  const unsubscribing = createUnsubscribing({ database, signer, turnOff });
  const logged: { details: Record<string, unknown>; text: string }[] = [];

  /** Starts a worker, as each process does. */
  const startWorker = (url = smtpUrl ?? server.url, through = database) =>
    createMailWorker({
      database: through,
      clock,
      logger: {
        error: (details, text) => logged.push({ details: details as Record<string, unknown>, text }),
        warn() {},
        info() {},
      },
      nudge,
      texts: testTexts,
      transport: createSmtp({ url, from: FROM, ...(deadlineMs && { deadlineMs }) }),
      setAside: noSetAside,
      crashGuard: createTestCrashGuard(through, clock),
      vouched: vouchedAddresses,
      from: FROM,
      hubUrl: () => HUB,
      unsubscribeUrl: (userId, kind) => unsubscribing.url(HUB, userId, kind),
      linkUrl: (nonce) => `${HUB}/join/${nonce}`,
      invitationUrl: (invitation) => createInvitationSecrets(signer).linkOf(HUB, invitation),
    });
  const worker = startWorker();

  async function drain(by: Pick<typeof worker, 'round' | 'settled'> = worker): Promise<void> {
    for (let done = 1; done > 0; await by.settled()) done = (await by.round()).done;
  }

  const REPO = { type: 'model', namespace: 'ada', name: 'letters' } as const;

  return {
    opened,
    database,
    server,
    clock,
    worker,
    startWorker,
    unsubscribing,
    drain,
    logged,
    REPO,
    repositories,
    discussions,
    reactions: createMailReactions({ clock, nudge }),
    ids,

    async person(name: string, given: { email?: string | null; fullname?: string } = {}): Promise<Person> {
      const { email = `${name}@example.com`, fullname } = given;
      const account = await database.transaction((tx) => accounts.create(tx, { kind: 'user', name, email, fullname }));
      const token = { id: account.id, role: 'write' as const };
      return {
        principal: { userId: account.id, userName: name, siteAdmin: false, token },
        email: email ?? '',
        baseUrl: HUB,
        hubUrl: HUB,
        url: HUB,
        address: '',
        userAgent: undefined,
        requestId: '',
      };
    },

    /** Opens a discussion in the repository `ada/letters`; returns its id and the id of its first comment. */
    async discuss(author: Person, title: string, description: string) {
      await discussions.create(author, REPO, { title, description, pullRequest: false });
      const { read } = database;
      const thread = await read.selectFrom('discussions').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow();
      const comment = await read
        .selectFrom('discussion_events')
        .select('id')
        .where('discussion_id', '=', thread.id)
        .executeTakeFirstOrThrow();
      return { id: thread.id, num: thread.num, first: comment.id };
    },

    /** Writes a comment; returns its id. */
    async comment(author: Person, num: number, raw: string): Promise<string> {
      const { newMessage } = await discussions.comment(author, REPO, num, raw);
      return newMessage.id;
    },

    /** Queues a mail to people about a comment, as the notifications do. */
    tell: (people: readonly Person[], threadId: string, commentId: string | null, kind = 'discussions_participating') =>
      database.transaction((tx) =>
        queueThreadMails(
          tx,
          people.map(({ principal }) => ({ id: ids(), userId: principal.userId, kind, threadId, commentId })),
          { now: clock.now(), dueAt: clock.now() + QUIET_MS },
        ),
      ),

    /** Lets the quiet period pass and sends the due mails; returns the received ones. */
    async mails() {
      clock.advance(QUIET_MS);
      await drain();
      return server.received();
    },

    rows: (): Promise<MailRow[]> => database.read.selectFrom('mails').selectAll().orderBy('id').execute(),

    async [Symbol.asyncDispose]() {
      await worker.finish();
      await server[Symbol.asyncDispose]();
      await opened[Symbol.asyncDispose]();
    },
  };
}

export type MailFixture = Awaited<ReturnType<typeof startMailFixture>>;

/** Starts a repository of ada with a discussion of hers, and with bob. */
export async function startDiscussion(options: Options & { private?: boolean } = {}) {
  const fixture = await startMailFixture(options);
  const [ada, bob] = [await fixture.person('ada'), await fixture.person('bob')];
  await fixture.repositories.create(ada, fixture.REPO, { private: options.private ?? false });
  const thread = await fixture.discuss(ada, 'A typo', 'It says *leters*.');
  return { ...fixture, ada, bob, thread };
}
