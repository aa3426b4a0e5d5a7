import { type JobNamespace, requireJobNamespace } from '../../access/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, ReadExecutor } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { notFound } from '../../platform/http/errors.ts';
import { idFromCursor, pageFrom } from '../../platform/http/pagination.ts';
import { NEVER, nextRun } from '../../platform/queue/cron.ts';
import { presentScheduledJob } from '../runs/present.ts';
import { reachedScheduledJobs, requireReachedScheduledJob } from '../runs/reach.ts';
import { findScheduled, listScheduled, type ShownScheduledJob } from './store.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
}

interface ListQuery {
  readonly labels: readonly string[];
  readonly cursor?: string | undefined;
  readonly limit: number;
}

export const scheduledNotFound = () => notFound('There is no such scheduled job here');

/** The verbs that read scheduled jobs, and `present`, which other verbs use for their responses. */
export function createScheduledJobReads({ database: { read }, clock }: Dependencies) {
  const shown = (caller: Caller, { account }: JobNamespace, job: ShownScheduledJob) =>
    presentScheduledJob(caller.baseUrl, account, job, job.next_run_at ?? nextRun(job.schedule, clock.now()) ?? NEVER);

  async function present(reader: ReadExecutor, caller: Caller, namespace: JobNamespace, id: string) {
    const job = await findScheduled(reader, namespace.account.id, id);
    if (!job) throw scheduledNotFound();
    await requireReachedScheduledJob(reader, caller.principal, job);
    return shown(caller, namespace, job);
  }

  return {
    present,

    async list(caller: Caller, name: string, query: ListQuery) {
      const before = idFromCursor(query.cursor);
      const namespace = await requireJobNamespace(read, caller.principal, name, 'read');
      const page = { before, limit: query.limit + 1 };
      const rows = await listScheduled(read, namespace.account.id, query.labels, page);
      const { items, next } = pageFrom(rows, query.limit, ({ id }) => id);
      const reached = await reachedScheduledJobs(read, caller.principal, items);
      return { items: reached.map((job) => shown(caller, namespace, job)), next };
    },

    async get(caller: Caller, name: string, id: string) {
      return present(read, caller, await requireJobNamespace(read, caller.principal, name, 'read'), id);
    },
  };
}
