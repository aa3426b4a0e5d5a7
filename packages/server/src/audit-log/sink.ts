import type { AuditEvent } from '@moonbase/contract/audit-log/events';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import { parseJson } from '../platform/http/json/text.ts';
import type { Logger } from '../platform/logger.ts';
import { copyOf, keepCopied, nextUncopied } from './copy-store.ts';
import { type AvatarUrl, createPresenter } from './present.ts';

/** An event as it is copied: with the organization that it belongs to; `name` is absent where that is gone. */
export interface CopiedEvent extends AuditEvent {
  readonly organization: { readonly _id: string; readonly name?: string };
}

/** Where events are copied to. Resolves once they are safe there; returns why not otherwise. */
export type Sink = (events: readonly CopiedEvent[]) => Promise<string | undefined>;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly sink: Sink;
  /** Whether this process is the one that copies; asked before each batch. */
  readonly hold: () => Promise<boolean>;
  /** The address of the hub, for pictures. */
  readonly baseUrl: () => string;
  readonly avatarUrl: AvatarUrl;
}

const BATCH = 200;
const MAX_WAIT_MS = 5 * 60_000;
/** When to look again while another process copies. */
const OTHERS_MS = 5000;

/**
 * One round: copies a batch of one organization, in the order of its chain, and keeps how far that came. What was
 * copied and not kept, as the process died, is copied again. After a failure it waits, twice as long each time.
 */
export function createSinkWorker({ database, clock, logger, sink, hold, baseUrl, avatarUrl }: Dependencies) {
  let after = '';
  let failures = 0;
  let notBefore = 0;

  async function failed(reason: string): Promise<{ done: number; dueInMs: number }> {
    failures += 1;
    const waitMs = Math.min(1000 * 2 ** (failures - 1), MAX_WAIT_MS);
    notBefore = clock.now() + waitMs;
    logger.error({ reason, failures }, 'the audit log could not be copied; it will be tried again');
    return { done: 0, dueInMs: waitMs };
  }

  return async function round(): Promise<{ done: number; dueInMs?: number | undefined }> {
    const { read } = database;
    if (clock.now() < notBefore) return { done: 0, dueInMs: notBefore - clock.now() };
    const next = (await nextUncopied(read, after)) ?? (after === '' ? undefined : await nextUncopied(read, ''));
    if (!next) return { done: 0 };
    if (!(await hold())) return { done: 0, dueInMs: OTHERS_MS };
    const { orgId, name } = next;
    // Read anew: until now another process may have copied.
    const rows = await copyOf(read, orgId, BATCH);
    const events = await createPresenter({ executor: read, baseUrl: baseUrl(), avatarUrl })(rows);
    const organization = { _id: orgId, ...(name !== null && { name }) };
    const last = rows.at(-1);
    if (!last) return { done: 0 };
    const reason = await sink(events.map((event) => ({ ...parseJson(event), organization })));
    if (reason !== undefined) return failed(reason);
    await database.transaction((tx) => keepCopied(tx, orgId, last.seq));
    failures = 0;
    after = orgId;
    return { done: rows.length };
  };
}
