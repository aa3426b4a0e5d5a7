import type { RepoType } from '@moonbase/contract/primitives';
import { bigint, integer, type RowOf, text } from '../platform/database/columns.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    webhooks: WebhookRow;
    webhook_watched: WatchedRow;
    webhook_versions: WebhookVersionRow;
    deliveries: DeliveryRow;
    delivery_attempts: DeliveryAttemptRow;
    webhook_replays: WebhookReplayRow;
  }
}

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

/** The columns of `deliveries`. */
export const DELIVERY = {
  id: text(),
  webhook_id: text(),
  event_id: text(),
  trigger_key: text(),
  created_at: bigint(),
  status: text<'pending' | 'delivered' | 'failed' | 'throttled'>(),
  lane: text(),
  due_at: bigint(),
  attempts: integer(),
  kind: text<'trigger' | 'replay' | 'recovery' | 'test'>(),
  replay_of: text<string | null>(),
  scope: text(),
  action: text(),
  repo_id: text(),
  repo_type: text<RepoType>(),
  repo_name: text(),
  repo_key: text(),
  repo_owner_id: text(),
  repo_private: integer(),
  repo_group_id: text<string | null>(),
  response_status: integer<number | null>(),
  error: text<string | null>(),
  duration_ms: integer<number | null>(),
  job_id: text<string | null>(),
};

export type DeliveryRow = RowOf<typeof DELIVERY>;

/** The columns of `delivery_attempts`. */
export const DELIVERY_ATTEMPT = {
  delivery_id: text(),
  /** From 1. */
  number: integer(),
  created_at: bigint(),
  url: text(),
  response_status: integer<number | null>(),
  response_headers: text<string | null>(),
  response_body: text<string | null>(),
  error: text<string | null>(),
  note: text<string | null>(),
  duration_ms: integer(),
};

export type DeliveryAttemptRow = RowOf<typeof DELIVERY_ATTEMPT>;

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
