import type { JobEvent, JobInitiator, JobStage } from '@moonbase/contract/jobs/jobs';

declare module '../platform/database/tables.ts' {
  interface Tables {
    jobs: JobRow;
    job_logs: JobLogRow;
    job_events: JobEventRow;
    scheduled_jobs: ScheduledJobRow;
  }
}

export interface JobRow {
  id: string;
  owner_id: string;
  created_by: string;
  created_by_name: string;
  initiator_type: JobInitiator['type'];
  initiator_id: string;
  trigger_key: string | null;
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
  specification: string;
  secrets: string | null;
  trigger_environment: string | null;
  /** JSON: the repositories that it runs on, as they were when it was launched; null for a job from before 0056. */
  sources: string | null;
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

export interface JobLogRow {
  job_id: string;
  line: number;
  at: number;
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
  created_at: number;
  schedule: string;
  suspended: number;
  concurrency: number;
  specification: string;
  secrets: string | null;
  labels: string;
  next_run_at: number | null;
  last_job_id: string | null;
  last_job_at: number | null;
}
