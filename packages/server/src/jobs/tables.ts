import type { JobEvent, JobInitiator, JobStage } from '@moonbase/contract/jobs/jobs';
import type { TablePlan } from '../platform/backup/table-plan.ts';
import type { SealedColumns } from '../platform/keys/sealed-store.ts';
import type { JsonText } from '../platform/stored-form.ts';
import type { Source } from '../repositories/index.ts';
import type { StoredSpecification, TriggerEnvironment } from './runs/specification.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    jobs: JobRow;
    job_logs: JobLogRow;
    job_events: JobEventRow;
    scheduled_jobs: ScheduledJobRow;
  }

  interface Queues {
    jobs: 'jobs';
    'scheduled-jobs': 'scheduled_jobs';
  }
}

/** The backup plan of these tables; a table follows those that it references. */
export const JOBS_BACKUP = {
  jobs: 'kept',
  job_logs: 'kept',
  job_events: 'kept',
  scheduled_jobs: 'kept',
} satisfies TablePlan;

/** The columns that hold secrets. */
export const JOBS_SEALED: readonly SealedColumns[] = [
  { table: 'jobs', columns: ['secrets'] },
  { table: 'scheduled_jobs', columns: ['secrets'] },
];

export interface JobRow {
  id: string;
  owner_id: string;
  created_by: string;
  created_by_name: string;
  /** The access token of the launch; null for a browser session, and for jobs from before migration 0110. */
  token_id: string | null;
  initiator_type: JobInitiator['type'];
  initiator_id: string;
  trigger_key: string | null;
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
  specification: JsonText<StoredSpecification>;
  /** Sealed. */
  secrets: string | null;
  trigger_environment: JsonText<TriggerEnvironment> | null;
  /** The repositories that the job runs on, as of its launch; null in jobs from before migration 0056. */
  sources: JsonText<readonly Source[]> | null;
  /** In the form that `labelText` writes. */
  labels: string;
  stage: JobStage;
  message: string | null;
  failures: number;
  attempt: number;
  active: 'starting' | 'running' | null;
  deadline_at: number | null;
  log_position: string;
  log_lines: number;
  log_bytes: number;
}

/** A piece of a log: consecutive lines that were read together. */
export interface JobLogRow {
  job_id: string;
  /** The number of the first line. */
  line: number;
  at: number;
  /** The number of lines. */
  count: number;
  text: string;
}

export interface JobEventRow {
  job_id: string;
  number: number;
  at: number;
  reason: JobEvent['reason'];
  message: string;
}

export interface ScheduledJobRow {
  id: string;
  owner_id: string;
  created_by: string;
  created_by_name: string;
  /** The access token with which the schedule was set last, as in `jobs`. */
  token_id: string | null;
  created_at: number;
  schedule: string;
  suspended: number;
  concurrency: number;
  specification: JsonText<StoredSpecification>;
  /** Sealed. */
  secrets: string | null;
  labels: string;
  next_run_at: number | null;
  last_job_id: string | null;
  last_job_at: number | null;
}
