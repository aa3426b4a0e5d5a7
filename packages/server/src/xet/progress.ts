import { PassThrough } from 'node:stream';
import { HubError } from '../platform/http/errors.ts';
import { asHubError } from './faults.ts';
import type { Progress } from './shards.ts';

/** The last line is repeated at this interval, so that nobody takes the connection for dead. */
const REPEAT_MS = 5_000;

const INTERNAL = 'Something went wrong on the hub; its log says what';

type Line =
  | Progress
  | { readonly type: 'result'; readonly result: 1 }
  | { readonly type: 'error'; readonly message: string };

/**
 * Returns lines of JSON that tell the progress of work, and at last its result or what is wrong; clients show that text
 * and no other.
 */
export function progressLines(
  work: (onProgress: (progress: Progress) => void) => Promise<void>,
  onFailure: (error: unknown) => void,
): PassThrough {
  const lines = new PassThrough();
  let last: Line = { type: 'validating', verified: 0, total: 0 };
  const write = (line: Line) => {
    last = line;
    lines.write(`${JSON.stringify(line)}\n`);
  };
  const timer = setInterval(() => write(last), REPEAT_MS);
  void work(write)
    .then(
      (): Line => ({ type: 'result', result: 1 }),
      (error: unknown): Line => {
        const fault = asHubError(error);
        if (!(fault instanceof HubError)) onFailure(error);
        return { type: 'error', message: fault instanceof HubError ? fault.message : INTERNAL };
      },
    )
    .then((line) => lines.end(`${JSON.stringify(line)}\n`))
    .finally(() => clearInterval(timer));
  return lines;
}
