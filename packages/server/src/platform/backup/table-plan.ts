import type { Tables } from '../database/tables.ts';

/** Whether a backup contains a table, or why not. */
type Decision = 'kept' | `left out: ${string}`;

/** The decisions for some tables; a table follows those that it references. */
export type TablePlan = { readonly [Table in keyof Tables]?: Decision };

/** The decisions for all tables of the schema. */
export type WholeTablePlan = Readonly<Record<keyof Tables, Decision>>;

/** The decisions for the platform's own tables. */
export const PLATFORM_BACKUP = {
  settings: 'kept',
  // Reactions refer to processed events, and unprocessed ones still wait for reactions.
  events: 'kept',
  tasks: 'kept',
  deletions: 'kept',
  lane_leases: 'left out: says which running process does what; those processes are gone',
  dead_letters: 'kept',
  processes: 'left out: which processes run; those processes are gone',
  suspects: 'left out: what processes that died had in hand',
  rate_windows: 'left out: who asked how often in the last minutes',
} satisfies TablePlan;

/** Returns all tables of a schema with this plan, including the table of migrations. */
export const knownTables = (plan: TablePlan): readonly string[] => ['migrations', ...Object.keys(plan)];

/** Returns the tables in a backup, in the order of writing and restoring. */
export const keptTables = (plan: TablePlan): readonly string[] =>
  Object.entries(plan)
    .filter(([, decision]) => decision === 'kept')
    .map(([table]) => table);
