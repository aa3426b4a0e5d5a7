import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Clock } from './clock.ts';
import type { Database } from './database/transaction.ts';
import { countDeadLetters } from './queue/dead-letters.ts';
import { lookAtQueues, MAX_COUNTED, type Queues } from './queue/state.ts';

interface Looking {
  readonly database: Database;
  readonly clock: Clock;
  readonly queues: Queues;
}

const FAST = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const SLOW = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export type Metrics = ReturnType<typeof createMetrics>;

/** What the hub counts and measures, in the form that Prometheus reads. Names end in their unit, as it wants them. */
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
    /** `operation`: the id of the route, or `none`. */
    request: (operation: string, status: number, seconds: number): void => {
      requests.inc({ operation, status });
      requestSeconds.observe({ operation }, seconds);
    },
    followed: (seconds: number) => reactionSeconds.observe(seconds),
    /** `status`: of what the receiver answered; undefined where it did not. */
    attempted: (status: number | undefined, seconds: number): void => {
      attemptSeconds.observe({ answer: status === undefined ? 'none' : `${Math.floor(status / 100)}xx` }, seconds);
    },
    round: (worker: string, seconds: number, succeeded: boolean): void => {
      rounds.observe({ worker }, seconds);
      if (!succeeded) failedRounds.inc({ worker });
    },
    leasesLost: (count: number) => lostLeases.inc(count),

    /**
     * The text, and its media type. Queues and connections are looked at now, and the process itself is measured from
     * the first time on: nobody pays for it who does not ask.
     */
    async read({ database, clock, queues }: Looking): Promise<{ text: string; type: string }> {
      for (const state of await lookAtQueues(queues, database.read, clock.now())) {
        waiting.set({ queue: state.name }, state.waiting);
        overdue.set({ queue: state.name }, state.overdueSeconds);
      }
      for (const [queue, count] of await countDeadLetters(database.read)) deadLetters.set({ queue }, count);
      for (const [state, count] of Object.entries(database.connections?.() ?? {})) connections.set({ state }, count);
      if (!registry.getSingleMetric('process_cpu_seconds_total'))
        collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50 });
      return { text: await registry.metrics(), type: registry.contentType };
    },
  };
}
