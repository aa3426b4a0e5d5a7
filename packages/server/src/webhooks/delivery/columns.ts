import type { ColumnTypes } from '../../platform/database/bulk.ts';
import type { DeliveryAttemptRow, DeliveryRow } from '../../platform/database/tables.ts';

/** The columns of what is written in batches. */
export const DELIVERY: ColumnTypes<DeliveryRow> = {
  id: 'text',
  webhook_id: 'text',
  event_id: 'text',
  trigger_key: 'text',
  created_at: 'bigint',
  status: 'text',
  lane: 'text',
  due_at: 'bigint',
  attempts: 'integer',
  kind: 'text',
  replay_of: 'text',
  scope: 'text',
  action: 'text',
  repo_id: 'text',
  repo_type: 'text',
  repo_name: 'text',
  repo_key: 'text',
  repo_owner_id: 'text',
  repo_private: 'integer',
  repo_group_id: 'text',
  response_status: 'integer',
  error: 'text',
  duration_ms: 'integer',
  job_id: 'text',
};

export const ATTEMPT: ColumnTypes<DeliveryAttemptRow> = {
  delivery_id: 'text',
  number: 'integer',
  created_at: 'bigint',
  url: 'text',
  response_status: 'integer',
  response_headers: 'text',
  response_body: 'text',
  error: 'text',
  note: 'text',
  duration_ms: 'integer',
};

/** What recording an attempt changes of a delivery. */
export type Finished = Pick<
  DeliveryRow,
  'id' | 'lane' | 'status' | 'due_at' | 'attempts' | 'response_status' | 'error' | 'duration_ms' | 'job_id'
>;

export const FINISHED: ColumnTypes<Finished> = {
  id: 'text',
  lane: 'text',
  status: 'text',
  due_at: 'bigint',
  attempts: 'integer',
  response_status: 'integer',
  error: 'text',
  duration_ms: 'integer',
  job_id: 'text',
};
