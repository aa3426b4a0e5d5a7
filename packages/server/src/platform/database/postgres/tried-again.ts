import { sqlFault } from '../sql-errors.ts';

/** A statement that only reads, with or without a comment before it. */
const READING = /^\s*(\/\*.*?\*\/\s*)?(select|with)\b/;
const MAX_TRIES = 5;

/**
 * Runs a statement outside of a transaction; a read that fails for a reason that passes, such as a deadlock with a migration,
 * is tried again. Throws the first error.
 */
export async function triedAgain<Answer>(text: string, run: () => Promise<Answer>): Promise<Answer> {
  let first: { readonly error: unknown } | undefined;
  for (let tries = 1; ; tries++)
    try {
      return await run();
    } catch (error) {
      first ??= { error };
      if (tries === MAX_TRIES || sqlFault(error) !== 'retry' || !READING.test(text)) throw first.error;
    }
}
