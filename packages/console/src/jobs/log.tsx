import { Text } from '@mantine/core';
import { type JobLogLine, streamJobLogs } from '@moonbase/client/jobs';
import { useEffect, useRef, useState } from 'react';
import { useHub } from '../session/session.tsx';
import { Failure } from '../ui/states.tsx';

/** The maximum number of lines that the page keeps. */
const MAX_LINES = 2000;
const PAINT_EVERY_MS = 100;

/** The live log of a job, which scrolls along while its end is visible. */
export function Log({ namespace, jobId }: { readonly namespace: string; readonly jobId: string }) {
  const hub = useHub();
  const [lines, setLines] = useState<readonly JobLogLine[]>([]);
  const [end, setEnd] = useState<'open' | 'over' | { readonly error: unknown }>('open');
  const [attempt, setAttempt] = useState(0);
  const box = useRef<HTMLElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once more when that is asked for
  useEffect(() => {
    const closed = new AbortController();
    const { signal } = closed;
    const kept: JobLogLine[] = [];
    let painted = 0;
    const paint = () => {
      painted = Date.now();
      setLines([...kept]);
    };
    const read = async () => {
      for await (const line of streamJobLogs({ ...hub, namespace, jobId, tail: MAX_LINES, signal })) {
        kept.push(line);
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: after each line
  useEffect(() => {
    const element = box.current;
    if (element && element.scrollHeight - element.scrollTop - element.clientHeight < 200)
      element.scrollTop = element.scrollHeight;
  }, [lines]);

  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard */}
      <section className="log" ref={box} aria-label="Lines" tabIndex={0}>
        <pre className="code">{lines.length === 0 ? ' ' : lines.map(({ data }) => data).join('\n')}</pre>
      </section>
      {typeof end === 'object' ? (
        <Failure error={end.error} retry={() => setAttempt(attempt + 1)} />
      ) : (
        <Text size="xs" c="dimmed" mt={4} role="status">
          {end === 'open' ? 'Live' : lines.length === 0 ? 'No output' : 'End of the log'}
        </Text>
      )}
    </>
  );
}
