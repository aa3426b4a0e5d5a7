/**
 * The rows of every table (migrations/*.sql): times in epoch milliseconds, flags 0 or 1, JSON as text. These are
 * platform's own; each slice declares its tables in its `tables.ts`.
 */
export interface Tables {
  settings: { name: string; value: string };
  events: EventRow;
  tasks: TaskRow;
  rate_windows: { window_start: number; subject: string; used: number };
  /** How many rows or files of each kind retention has deleted. */
  deletions: { kind: string; amount: number; last_at: number };
  lane_leases: { lane: string; owner: string; held_until: number };
  dead_letters: DeadLetterRow;
  processes: { id: string; started_at: number; seen_at: number };
  suspects: { queue: QueueName; item_id: string; deaths: number; held_by: string | null };
}

export interface EventRow {
  id: string;
  topic: string;
  created_at: number;
  data: string;
  due_at: number;
  attempts: number;
  done_at: number | null;
  /** The progress of reactions. */
  progress: string | null;
  /** `traceparent` of the request that recorded the event. */
  trace: string | null;
  /** Orders the event relative to changes that decide its effects. */
  epoch: number;
}

export interface TaskRow {
  id: string;
  kind: string;
  key: string | null;
  data: string;
  due_at: number;
  attempts: number;
  created_at: number;
}

/** The queues whose items can be set aside, each with the table of the items. Each slice adds its own in its `tables.ts`. */
export interface Queues {
  events: 'events';
  tasks: 'tasks';
}

export type QueueName = keyof Queues;

export interface DeadLetterRow {
  id: string;
  queue: QueueName;
  item_id: string;
  kind: string;
  error: string;
  failures: number;
  /** The number of processes that died with the item in hand. */
  deaths: number;
  created_at: number;
  set_aside_at: number;
}
