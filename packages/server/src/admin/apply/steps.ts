import type { HubReport } from '@moonbase/contract/admin/hub-document';
import { type Database, type Executor, serialize } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';

type Kind = Exclude<keyof HubReport, 'newTokens' | 'warnings'>;
type Change = keyof HubReport['users'];

/** A transaction that applies a part of a document, with counts of its changes. */
export interface Step {
  readonly tx: Executor;
  readonly caller: Caller;
  readonly report: HubReport;
  /** Counts one item. */
  readonly count: (kind: Kind, change: Change) => void;
}

/** Runs work on items in batches, each in a short transaction. */
export interface Steps {
  readonly report: HubReport;
  each<Item>(
    items: readonly Item[],
    size: number,
    work: (step: Step, part: readonly Item[]) => Promise<void>,
  ): Promise<void>;
}

/** The id of the lock that serializes steps of concurrent documents. */
const APPLYING = 7781;

const NOTHING = { created: 0, updated: 0, unchanged: 0, removed: 0 };

const emptyReport = (): HubReport => ({
  users: { ...NOTHING },
  tokens: { ...NOTHING },
  organizations: { ...NOTHING },
  members: { ...NOTHING },
  repos: { ...NOTHING },
  spaceSettings: { ...NOTHING },
  papers: { ...NOTHING },
  posts: { ...NOTHING },
  articles: { ...NOTHING },
  newTokens: [],
  warnings: [],
});

const COUNTED = [
  ...(['users', 'tokens', 'organizations', 'members'] as const),
  ...(['repos', 'spaceSettings', 'papers', 'posts', 'articles'] as const),
] as const;
const CHANGES = ['created', 'updated', 'unchanged', 'removed'] as const;

/** Adds the counts of a committed step to the report. */
function addReport(sum: HubReport, { newTokens, warnings, ...counts }: HubReport): void {
  for (const kind of COUNTED) for (const change of CHANGES) sum[kind][change] += counts[kind][change];
  for (const token of newTokens) sum.newTokens.push(token);
  for (const warning of warnings) sum.warnings.push(warning);
}

function createStep(tx: Executor, caller: Caller): Step {
  const report = emptyReport();
  return {
    ...{ tx, caller, report },
    count: (kind, change) => {
      report[kind][change] += 1;
    },
  };
}

/** Runs all steps within one open transaction. */
export async function stepsWithin(tx: Executor, caller: Caller): Promise<Steps> {
  await serialize(tx, APPLYING);
  const step = createStep(tx, caller);
  return {
    report: step.report,
    each: async (items, _size, work) => {
      if (items.length > 0) await work(step, items);
    },
  };
}

/** Runs each step in a transaction of its own. */
export function stepsOf(database: Database, caller: Caller): Steps {
  const report = emptyReport();
  return {
    report,
    async each(items, size, work) {
      for (let from = 0; from < items.length; from += size) {
        const done = await database.transaction(async (tx) => {
          await serialize(tx, APPLYING);
          const step = createStep(tx, caller);
          await work(step, items.slice(from, from + size));
          return step.report;
        });
        addReport(report, done);
      }
    },
  };
}
