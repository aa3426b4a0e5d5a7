import type { CompiledQuery } from 'kysely';
import { vi } from 'vitest';
import { directReads } from '../src/platform/database/direct-reads.ts';
import type { ReadExecutor } from '../src/platform/database/transaction.ts';

interface Runs {
  executeQuery: (query: CompiledQuery) => Promise<unknown>;
}

/** Returns the class that every query which is no direct read passes through, in a transaction or outside of one. */
function executorBase(read: ReadExecutor): Runs {
  const own: unknown = Object.getPrototypeOf(read.getExecutor());
  return Object.getPrototypeOf(own);
}

/** Notes the texts of all queries of a database until it is disposed of. */
export function noteQueries(read: ReadExecutor): Disposable & { readonly texts: string[] } {
  const texts: string[] = [];
  const direct = directReads(read);
  if (!direct) throw new Error('This is no read door');
  const spies = [executorBase(read), direct].map((runs: Runs) => {
    const run = runs.executeQuery;
    return vi.spyOn(runs, 'executeQuery').mockImplementation(function (this: unknown, query) {
      texts.push(query.sql);
      return run.call(this, query);
    });
  });
  return {
    texts,
    [Symbol.dispose]() {
      for (const spy of spies) spy.mockRestore();
    },
  };
}
