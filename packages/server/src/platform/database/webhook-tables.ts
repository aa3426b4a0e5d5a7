import type { RepoType } from '@moonbase/contract/primitives';

export interface WebhookRow {
  id: string;
  owner_id: string;
  /** `stream:` and its id where the target is a connection. */
  url: string | null;
  job: string | null;
  job_source_id: string | null;
  job_secrets: string | null;
  secret: string | null;
  old_secret: string | null;
  old_secret_until: number | null;
  domains: string;
  /** `deleted`: invisible; the row goes when its log is gone. */
  state: 'enabled' | 'disabled' | 'suspended' | 'deleted';
  created_at: number;
  last_trigger_at: number | null;
  failures: number;
  failing_since: number | null;
  /** Of a stream: it is gone when nobody was connected until then. */
  stream_until: number | null;
  /** Of a stream: the connection that counts. */
  connection: string | null;
  /** The epoch from which `state` and `domains` hold. */
  since: number;
  /** The epoch from which it has been enabled throughout, where it is enabled. */
  enabled_since: number;
}

/** What an enabled webhook was before, for events with an epoch of `since` or later, before `until`. */
export interface WebhookVersionRow {
  webhook_id: string;
  since: number;
  until: number;
  domains: string;
  closed_at: number;
}

export interface WatchedRow {
  webhook_id: string;
  position: number;
  type: 'dataset' | 'model' | 'space' | 'bucket' | 'kernel' | 'user' | 'org';
  name: string;
  name_key: string;
  target_id: string | null;
  /** Holds for events with an epoch of `since` or later, before `until`; that is null while it is watched. */
  since: number;
  until: number | null;
  closed_at: number | null;
}

export interface DeliveryRow {
  id: string;
  webhook_id: string;
  event_id: string;
  trigger_key: string;
  created_at: number;
  status: 'pending' | 'delivered' | 'failed' | 'throttled';
  lane: string;
  due_at: number;
  attempts: number;
  kind: 'trigger' | 'replay' | 'recovery' | 'test';
  replay_of: string | null;
  scope: string;
  action: string;
  repo_id: string;
  repo_type: RepoType;
  repo_name: string;
  repo_key: string;
  repo_owner_id: string;
  repo_private: number;
  repo_group_id: string | null;
  response_status: number | null;
  error: string | null;
  duration_ms: number | null;
  job_id: string | null;
}

export interface DeliveryAttemptRow {
  delivery_id: string;
  /** From 1. */
  number: number;
  created_at: number;
  url: string;
  response_status: number | null;
  response_headers: string | null;
  response_body: string | null;
  error: string | null;
  note: string | null;
  duration_ms: number;
}

export interface WebhookReplayRow {
  id: string;
  webhook_id: string;
  created_at: number;
  filter: string;
  bound: string;
  cursor: string;
  matched: number;
  replayed: number;
  state: 'running' | 'done' | 'canceled';
}
