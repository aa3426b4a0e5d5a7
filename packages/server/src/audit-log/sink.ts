import type { AuditEvent, SiteAuditEvent } from '@moonbase/contract/audit-log/events';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { InformingLogger } from '../platform/logger.ts';
import { createOutage } from '../platform/logging/outage.ts';
import { parseJson } from '../platform/stored-form.ts';
import { nextEventsToCopy, nextUncopied, storeCopiedPosition } from './copy-store.ts';
import type { Directory } from './directory.ts';
import { createPresenter } from './present.ts';

/**
 * An event in its copied form, with its organization; `name` is absent if the organization was removed. The id `site` stands
 * for events outside of organizations.
 */
export type CopiedEvent = (AuditEvent | SiteAuditEvent) & {
  readonly organization: { readonly _id: string; readonly name?: string };
};

/**
 * Copies events. Resolves with undefined once they are stored safely, otherwise with the reason of the failure. Without
 * events it only tries what can be tried without sending anything.
 */
export type Sink = (events: readonly CopiedEvent[]) => Promise<string | undefined>;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: InformingLogger;
  readonly sink: Sink;
  /** Returns whether this process may copy; checked before each batch. */
  readonly hold: () => Promise<boolean>;
  /** Returns the address of the hub, for picture URLs. */
  readonly baseUrl: () => string;
  readonly directory: Directory;
}

const BATCH = 200;
const MAX_WAIT_MS = 5 * 60_000;
/** The interval of checks while another process copies. */
const FOLLOWER_POLL_MS = 5000;

/**
 * Creates the copy worker. Its round copies a batch of one organization in the order of its chain, and stores the
 * position. Events whose position was not stored because the process died are copied again. After failures the wait
 * doubles.
 */
export function createSinkWorker({ database, clock, logger, sink, hold, baseUrl, directory }: Dependencies) {
  let after = '';
  let failures = 0;
  let notBefore = 0;
  const outage = createOutage({
    clock,
    onFailing: (details) =>
      logger.error(details, 'MOONBASE_AUDIT_SINK: the audit log could not be copied there; it will be tried again'),
    onWorking: (details) => logger.info(details, 'the audit log is copied again'),
  });

  async function failed(reason: string): Promise<{ done: number; dueInMs: number }> {
    failures += 1;
    const waitMs = Math.min(1000 * 2 ** (failures - 1), MAX_WAIT_MS);
    notBefore = clock.now() + waitMs;
    outage.failed({ reason, failures });
    return { done: 0, dueInMs: waitMs };
  }

  async function round(): Promise<{ done: number; dueInMs?: number | undefined }> {
    const { read } = database;
    if (clock.now() < notBefore) return { done: 0, dueInMs: notBefore - clock.now() };
    const orgId = (await nextUncopied(read, after)) ?? (after === '' ? undefined : await nextUncopied(read, ''));
    if (orgId === undefined) return { done: 0 };
    if (!(await hold())) return { done: 0, dueInMs: FOLLOWER_POLL_MS };
    // The position is read anew, because another process may have copied until now.
    const rows = await nextEventsToCopy(read, orgId, BATCH);
    const events = await createPresenter<AuditEvent | SiteAuditEvent>({
      executor: read,
      baseUrl: baseUrl(),
      directory,
    })(rows);
    const [account] = await directory.findExistingAccounts(read, [orgId]);
    const organization = { _id: orgId, ...(account && { name: account.name }) };
    const last = rows.at(-1);
    if (!last) return { done: 0 };
    const reason = await sink(events.map((event) => ({ ...parseJson(event), organization })));
    if (reason !== undefined) return failed(reason);
    await database.transaction((tx) => storeCopiedPosition(tx, orgId, last.seq));
    failures = 0;
    outage.worked();
    after = orgId;
    return { done: rows.length };
  }

  return {
    round,

    /** Tells the log at the start of a hub if its sink cannot be written to. */
    async check(): Promise<void> {
      const reason = await sink([]);
      if (reason !== undefined) outage.failed({ reason });
    },
  };
}
