import type { JobMetrics } from '@moonbase/contract/jobs/jobs';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import { serverSentEvent } from '../../platform/http/event-stream.ts';
import { attemptKey } from '../execution/attempt-key.ts';
import type { Runner, Usage } from '../runners/runner.ts';
import { builtInEnvironment } from '../runs/hardware.ts';
import { specificationOf } from '../runs/specification.ts';
import { findJob } from '../runs/store.ts';
import type { JobRow } from '../tables.ts';

interface Dependencies {
  readonly database: Database;
  readonly runner: Runner;
  readonly clock: Clock;
}

/** The previous sample, from which the processor usage is derived. */
interface Sample {
  readonly at: number;
  readonly cpuMs: number;
}

/** The minimum interval between samples; the stream polls more often. */
const MIN_INTERVAL_MS = 900;

/** Samples the resource usage of a job; returns no text while the job does not run. */
export function measuresOf(job: JobRow, { database, runner, clock }: Dependencies) {
  const cores = Number(builtInEnvironment(job.id, specificationOf(job).flavor).CPU_CORES);

  const metricsOf = (usage: Usage, since: Sample, at: number): JobMetrics => ({
    cpu_usage_pct: at > since.at ? Math.max(0, Math.round((100 * (usage.cpuMs - since.cpuMs)) / (at - since.at))) : 0,
    cpu_millicores: cores * 1000,
    memory_used_bytes: usage.memoryBytes,
    memory_total_bytes: usage.memoryTotalBytes,
    rx_bps: 0,
    tx_bps: 0,
    gpus: {},
    replica: '0',
  });

  /** Measures the current attempt. */
  async function measure(): Promise<Usage | undefined> {
    const current = await findJob(database.read, job.id);
    const runs = current?.active === 'running' && current.finished_at === null;
    return runs ? runner.measure?.(attemptKey(current)) : undefined;
  }

  return async (before: Sample | undefined): Promise<{ text: string; position: Sample | undefined }> => {
    const at = clock.now();
    const usage = before && at - before.at < MIN_INTERVAL_MS ? undefined : await measure();
    if (!usage) return { text: '', position: before };
    const metrics = metricsOf(usage, before ?? { at, cpuMs: usage.cpuMs }, at);
    return { text: serverSentEvent('metric', JSON.stringify(metrics)), position: { at, cpuMs: usage.cpuMs } };
  };
}
