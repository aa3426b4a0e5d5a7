import { setImmediate } from 'node:timers/promises';
import type { HubReport } from '@moonbase/contract/admin/hub-document';
import type { Executor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import type { Issue } from '../platform/http/errors.ts';

type Kind = Exclude<keyof HubReport, 'newTokens' | 'warnings'>;
type Change = keyof HubReport['users'];

/** One run over a document: the transaction, who asks, what was done and what is wrong. */
export interface Application {
  readonly tx: Executor;
  readonly caller: Caller;
  readonly report: HubReport;
  readonly faults: Issue[];
  /** Counts one item. */
  count(kind: Kind, change: Change): void;
  /** Called for each item: lets requests in between now and then, as SQLite answers without a pause of its own. */
  breathe(): Promise<void>;
  /** Notes what is wrong with one item; the run goes on, so that all faults are named. */
  fault(path: string, message: string): undefined;
}

const ITEMS_A_BREATH = 100;

const NOTHING = { created: 0, updated: 0, unchanged: 0, removed: 0 };

export function createApplication(tx: Executor, caller: Caller): Application {
  const report: HubReport = {
    users: { ...NOTHING },
    tokens: { ...NOTHING },
    organizations: { ...NOTHING },
    members: { ...NOTHING },
    repos: { ...NOTHING },
    papers: { ...NOTHING },
    posts: { ...NOTHING },
    articles: { ...NOTHING },
    newTokens: [],
    warnings: [],
  };
  const faults: Issue[] = [];
  let items = 0;
  return {
    tx,
    caller,
    report,
    faults,
    count: (kind, change) => {
      report[kind][change] += 1;
    },
    async breathe() {
      items += 1;
      if (items % ITEMS_A_BREATH === 0) await setImmediate();
    },
    fault: (path, message) => {
      faults.push({ path: `body.${path}`, message });
      return undefined;
    },
  };
}

/** The given columns that differ from those of a row. */
export function differing<Row extends object>(row: Row, wanted: Partial<Row>): Partial<Row> | undefined {
  const entries = Object.entries(wanted).filter(
    ([key, value]) => value !== undefined && row[key as keyof Row] !== value,
  );
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as Partial<Row>);
}

/** Items of a list with their paths: `users.0`. Absent ones apart, in reverse order. */
export function itemsOf<T extends { state?: 'absent' | undefined }>(kind: string, items: readonly T[]) {
  const all = items.map((item, at) => ({ item, path: `${kind}.${at}` }));
  return {
    present: all.filter(({ item }) => item.state !== 'absent'),
    absent: all.filter(({ item }) => item.state === 'absent').reverse(),
  };
}
