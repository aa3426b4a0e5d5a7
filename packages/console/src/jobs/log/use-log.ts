import { type JobLogLine, streamJobLogs } from '@moonbase/client/jobs';
import { useEffect, useState } from 'react';
import { useHub } from '../../session/session.tsx';

/** The maximum number of lines that the page keeps. */
const MAX_LINES = 2000;
const PAINT_EVERY_MS = 100;

/** A line with its number, from the first line that the page has received. */
export interface NumberedLine extends JobLogLine {
  readonly number: number;
}

/** The state of the stream of a log. */
export type End = 'open' | 'over' | { readonly error: unknown };

/** Follows the log of a job. Returns its last lines, whether more may come, and a function that begins again after an error. */
export function useLog(namespace: string, jobId: string) {
  const hub = useHub();
  const [lines, setLines] = useState<readonly NumberedLine[]>([]);
  const [end, setEnd] = useState<End>('open');
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once more when that is asked for
  useEffect(() => {
    const closed = new AbortController();
    const { signal } = closed;
    const kept: NumberedLine[] = [];
    let count = 0;
    let painted = 0;
    const paint = () => {
      painted = Date.now();
      setLines([...kept]);
    };
    const read = async () => {
      for await (const line of streamJobLogs({ ...hub, namespace, jobId, tail: MAX_LINES, signal })) {
        kept.push({ ...line, number: count++ });
        if (kept.length > MAX_LINES) kept.splice(0, kept.length - MAX_LINES);
        if (Date.now() - painted > PAINT_EVERY_MS) paint();
      }
    };
    const timer = setInterval(() => Date.now() - painted > PAINT_EVERY_MS && kept.length > 0 && paint(), 250);
    setEnd('open');
    read()
      .then(
        () => setEnd('over'),
        (error: unknown) => !signal.aborted && setEnd({ error }),
      )
      .finally(() => {
        clearInterval(timer);
        if (!signal.aborted) paint();
      });
    return () => {
      closed.abort();
      clearInterval(timer);
    };
  }, [hub, namespace, jobId, attempt]);

  return { lines, end, again: () => setAttempt(attempt + 1) };
}
