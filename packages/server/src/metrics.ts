import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { lastBackups } from './backups/index.ts';
import { countFailing } from './content/index.ts';
import type { Clock } from './platform/clock.ts';
import type { Database } from './platform/database/transaction.ts';
import { countDeadLetters } from './platform/queue/dead-letter-store.ts';
import { MAX_FAILURES } from './platform/queue/dead-letters.ts';
import { MAX_COUNTED, type Queues, readQueueStates } from './platform/queue/state.ts';
import { upstreamTotal } from './upstream/index.ts';

interface MetricSources {
  readonly database: Database;
  readonly clock: Clock;
  readonly queues: Queues;
  /** The names of the queues that can set items aside. */
  readonly deadLetterQueues: readonly string[];
}

const FAST = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const SLOW = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const LONG = [0.05, 0.25, 1, 5, 15, 60, 300, 900, 3600];

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Creates the metrics, which `read` returns in the text format of Prometheus. As Prometheus recommends, the name of a
 * duration ends in `_seconds`, and that of a counter in `_total`.
 */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: 'moonbase_http_requests_total',
    help: 'Requests that were answered',
    labelNames: ['operation', 'status'],
    registers,
  });
  const requestSeconds = new Histogram({
    name: 'moonbase_http_request_duration_seconds',
    help: 'From the headers of a request to the end of its answer',
    labelNames: ['operation'],
    buckets: FAST,
    registers,
  });
  const reactionSeconds = new Histogram({
    name: 'moonbase_event_reaction_delay_seconds',
    help: 'From an event to the end of what follows from it: notifications, deliveries, mails that wait',
    buckets: SLOW,
    registers,
  });
  const attemptSeconds = new Histogram({
    name: 'moonbase_delivery_attempt_duration_seconds',
    help: 'Attempts to deliver to a webhook, by what was answered: 2xx … 5xx, or none',
    labelNames: ['answer'],
    buckets: SLOW,
    registers,
  });
  const rounds = new Histogram({
    name: 'moonbase_worker_round_duration_seconds',
    help: 'Rounds of the workers',
    labelNames: ['worker'],
    buckets: FAST,
    registers,
  });
  const failedRounds = new Counter({
    name: 'moonbase_worker_failed_rounds_total',
    help: 'Rounds of the workers that failed; the log says why',
    labelNames: ['worker'],
    registers,
  });
  const lostLeases = new Counter({
    name: 'moonbase_lane_leases_lost_total',
    help: 'Receivers whose deliveries another process took over, as this one was too slow',
    registers,
  });
  const upstream = createUpstreamMetrics(registers);
  const maintenance = createMaintenanceMetrics(registers);
  const backups = createBackupMetrics(registers);
  const xetBytes = new Counter({
    name: 'moonbase_xet_bytes_total',
    help: 'Bytes by Xet: `xorbs` came and were stored, `files` were made of them; the difference was not sent again',
    labelNames: ['what'],
    registers,
  });
  const waiting = new Gauge({
    name: 'moonbase_queue_waiting',
    help: `What waits in a queue, also for its time; ${MAX_COUNTED} stands for more`,
    labelNames: ['queue'],
    registers,
  });
  const overdue = new Gauge({
    name: 'moonbase_queue_oldest_due_seconds',
    help: 'How long the oldest of a queue has been due',
    labelNames: ['queue'],
    registers,
  });
  const deadLetters = new Gauge({
    name: 'moonbase_dead_letters',
    help: 'What a queue set aside, as it failed too often; a site administrator has to retry or discard it',
    labelNames: ['queue'],
    registers,
  });
  const connections = new Gauge({
    name: 'moonbase_database_connections',
    help: 'Connections to PostgreSQL, and requests that wait for one',
    labelNames: ['state'],
    registers,
  });

  return {
    /** `operation` is the id of the route, or `none`. */
    request: (operation: string, status: number, seconds: number): void => {
      requests.inc({ operation, status });
      requestSeconds.observe({ operation }, seconds);
    },
    followed: (seconds: number) => reactionSeconds.observe(seconds),
    /** `status` is the status of the response; undefined without one. */
    attempted: (status: number | undefined, seconds: number): void => {
      attemptSeconds.observe({ answer: status === undefined ? 'none' : `${Math.floor(status / 100)}xx` }, seconds);
    },
    round: (worker: string, seconds: number, succeeded: boolean): void => {
      rounds.observe({ worker }, seconds);
      if (!succeeded) failedRounds.inc({ worker });
    },
    leasesLost: (count: number) => lostLeases.inc(count),
    ...{ upstream, maintained: maintenance.maintained, backupFailed: backups.failed },
    xetBytes: (what: 'xorbs' | 'files', bytes: number) => xetBytes.inc({ what }, bytes),

    /**
     * Returns the metrics as text with their media type. Queues and connections are measured on demand, and process
     * metrics only from the first call on, so that unused metrics cost nothing.
     */
    async read({ database, clock, queues, deadLetterQueues }: MetricSources): Promise<{ text: string; type: string }> {
      for (const state of await readQueueStates(queues, database.read, clock.now())) {
        waiting.set({ queue: state.name }, state.waiting);
        overdue.set({ queue: state.name }, state.overdueSeconds);
      }
      const setAside = await countDeadLetters(database.read);
      for (const queue of deadLetterQueues) deadLetters.set({ queue }, setAside.get(queue) ?? 0);
      await maintenance.countFailing(database);
      await upstream.measureKept(database);
      await backups.measureLast(database);
      for (const [state, count] of Object.entries(database.connections?.() ?? {})) connections.set({ state }, count);
      if (!registry.getSingleMetric('process_cpu_seconds_total')) collectProcessMetrics(registry);
      return { text: await registry.metrics(), type: registry.contentType };
    },
  };
}

/** Gauges of the library that are named like counters; others have the same numbers by type. */
const NAMED_LIKE_COUNTERS = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`);

function collectProcessMetrics(register: Registry): void {
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: 50 });
  for (const name of NAMED_LIKE_COUNTERS) register.removeSingleMetric(name);
}

/** Creates the metrics of the maintenance of git folders. */
function createMaintenanceMetrics(registers: Registry[]) {
  const maintenanceSeconds = new Histogram({
    name: 'moonbase_git_maintenance_duration_seconds',
    help: 'Maintenance of the git folders of repositories, by outcome: succeeded or failed',
    labelNames: ['outcome'],
    buckets: LONG,
    registers,
  });
  const bytesSaved = new Counter({
    name: 'moonbase_git_maintenance_bytes_saved_total',
    help: 'How many bytes of objects maintenance has taken from the disk',
    registers,
  });
  const failing = new Gauge({
    name: 'moonbase_git_maintenance_failing',
    help: 'Repositories whose maintenance failed: five times, so that they wait for a change, or less often',
    labelNames: ['state'],
    registers,
  });

  return {
    /** Called after each attempt to maintain a repository. */
    maintained: (run: { readonly outcome: string; readonly seconds: number; readonly bytesSaved: number }): void => {
      maintenanceSeconds.observe({ outcome: run.outcome }, run.seconds);
      bytesSaved.inc(Math.max(0, run.bytesSaved));
    },

    async countFailing({ read }: Pick<Database, 'read'>): Promise<void> {
      const all = await countFailing(read, 1, MAX_COUNTED);
      const setAside = await countFailing(read, MAX_FAILURES, MAX_COUNTED);
      failing.set({ state: 'retried' }, all - setAside);
      failing.set({ state: 'set-aside' }, setAside);
    },
  };
}

/** Creates the metrics of what is read from the upstream. */
function createUpstreamMetrics(registers: Registry[]) {
  const questions = new Counter({
    name: 'moonbase_upstream_questions_total',
    help: 'Questions to the upstream: asked, answered from what is kept as it was slow or away (kept), or failed',
    labelNames: ['outcome'],
    registers,
  });
  const files = new Counter({
    name: 'moonbase_upstream_files_total',
    help: 'Files of the upstream that were served: kept here, on their way for somebody else (arriving), or fetched',
    labelNames: ['source'],
    registers,
  });
  const bytes = new Counter({
    name: 'moonbase_upstream_bytes_total',
    help: 'Bytes of files that were fetched from the upstream, and served',
    labelNames: ['what'],
    registers,
  });
  const kept = new Gauge({
    name: 'moonbase_upstream_kept_bytes',
    help: 'Bytes of files of the upstream that are kept here',
    registers,
  });

  return {
    async measureKept({ read }: Pick<Database, 'read'>): Promise<void> {
      kept.set(await upstreamTotal(read, 'files'));
    },
    onOutcome: (outcome: 'asked' | 'kept' | 'failed'): void => questions.inc({ outcome }),
    onFile: (source: 'kept' | 'arriving' | 'fetched'): void => files.inc({ source }),
    onBytes: (what: 'fetched' | 'served', count: number): void => bytes.inc({ what }, count),
  };
}

/** Creates the metrics of the backups that the hub makes of itself; a hub without backups has no values. */
function createBackupMetrics(registers: Registry[]) {
  const labelNames = ['place'] as const;
  const lastAt = new Gauge({
    name: 'moonbase_backup_last_success_timestamp_seconds',
    help: 'When the last complete backup of the hub began, in seconds since 1970',
    ...{ labelNames, registers },
  });
  const lastBytes = new Gauge({
    name: 'moonbase_backup_last_size_bytes',
    help: 'The size of the last complete backup, without the files of repositories',
    ...{ labelNames, registers },
  });
  const lastSeconds = new Gauge({
    name: 'moonbase_backup_last_duration_seconds',
    help: 'How long the last complete backup took, with the files of repositories',
    ...{ labelNames, registers },
  });
  const failing = new Gauge({
    name: 'moonbase_backup_failing',
    help: 'The failed backups since the last complete one',
    ...{ labelNames, registers },
  });
  const failures = new Counter({
    name: 'moonbase_backup_failures_total',
    help: 'Backups that failed in this process; the log says why',
    registers,
  });

  return {
    failed: (): void => failures.inc(),

    async measureLast({ read }: Pick<Database, 'read'>): Promise<void> {
      for (const gauge of [lastAt, lastBytes, lastSeconds, failing]) gauge.reset();
      const last = await lastBackups(read);
      if (!last) return;
      const place = { place: last.place };
      failing.set(place, last.failures);
      if (!last.whole) return;
      lastAt.set(place, last.whole.started_at / 1000);
      lastBytes.set(place, last.whole.bytes ?? 0);
      lastSeconds.set(place, (last.whole.duration_ms ?? 0) / 1000);
    },
  };
}
