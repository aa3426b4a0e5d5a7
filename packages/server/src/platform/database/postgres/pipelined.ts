import type pg from 'pg';
import { onDemand } from '../../on-demand.ts';
import { triedAgain } from './tried-again.ts';
import { UNAWAITED } from './unawaited.ts';

interface Answer {
  readonly command: string;
}
type Query = (text: string, values?: unknown[]) => Promise<Answer>;
type Statement = Parameters<Query>;

/** Further statements are not held back, so that a transaction keeps few of its rows in memory. */
const MAX_HELD = 16;

const NO_RESULT = { command: '', rowCount: 0, rows: [] };

/** Throws if the server answered a commit with a rollback, as it does after a failed statement. */
function confirmed(answer: Answer, isCommit: boolean): Answer {
  if (isCommit && answer.command !== 'COMMIT')
    throw new Error('PostgreSQL has undone the transaction, because one of its statements had failed');
  return answer;
}

/**
 * Sends the beginning of a transaction, and its statements marked as `UNAWAITED`, in one message with the statement that follows
 * them: each message costs the way to the server and back. A message fails with its first error from the server, which undoes
 * the transaction then, also if the message ends with the commit. Values that the driver cannot encode are not covered: it
 * sends the other statements.
 */
export function pipelineTransactions(pool: pg.Pool): void {
  const { Client } = onDemand('pg');
  pool.on('connect', (client) => {
    // The dialect uses only one form of the call: a text and its values, returning a promise.
    const query: Query = client.query.bind(client);
    let begin: Statement | undefined;
    let held: Statement[] = [];
    let isOpen = false;

    async function sendHeldAnd(last: Statement): Promise<Answer> {
      const statements = [...(begin ? [begin] : []), ...held, last];
      begin = undefined;
      held = [];
      if (statements.length === 1) return query(...last);
      const stream = client instanceof Client ? client.connection.stream : undefined;
      stream?.cork();
      const sent = statements.map((statement) => query(...statement));
      stream?.uncork();
      let answer: Answer = NO_RESULT;
      for (const result of await Promise.allSettled(sent)) {
        if (result.status === 'rejected') throw result.reason;
        answer = result.value;
      }
      return answer;
    }

    async function end(statement: Statement, isCommit: boolean): Promise<Answer> {
      isOpen = false;
      if (!isCommit) held = [];
      if (!begin || held.length > 0) return confirmed(await sendHeldAnd(statement), isCommit);
      // The server knows nothing of this transaction.
      begin = undefined;
      return NO_RESULT;
    }

    const pipelined: Query = async (...statement) => {
      const [text] = statement;
      // Without values a statement is not prepared: the server cannot have forgotten it, as after `deallocate all`.
      if (text.startsWith('begin')) {
        isOpen = true;
        begin = [text];
        return NO_RESULT;
      }
      if (text === 'commit' || text === 'rollback') return end([text], text === 'commit');
      // In a transaction nothing is tried again: PostgreSQL has undone what was before, so it runs again as a whole.
      if (!isOpen) return triedAgain(text, () => query(...statement));
      if (!text.endsWith(UNAWAITED) || held.length === MAX_HELD) return sendHeldAnd(statement);
      held.push(statement);
      return NO_RESULT;
    };
    Object.assign(client, { query: pipelined });
  });
}
