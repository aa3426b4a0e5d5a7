import './log.css';
import { Button, Group, Switch, Text, TextInput } from '@mantine/core';
import { streamJobLogs } from '@moonbase/client/jobs';
import { useMutation } from '@tanstack/react-query';
import { memo, useDeferredValue, useEffect, useRef, useState } from 'react';
import { useHub } from '../../session/session.tsx';
import { Refused } from '../../ui/refused.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { Failure } from '../../ui/states.tsx';
import { piecesOf, textOf } from './ansi.ts';
import { type NumberedLine, useLog } from './use-log.ts';

/** The distance from the end, in pixels, within which the log scrolls along. */
const NEAR_END = 200;

/** The live log of a job, which scrolls along while its end is visible, with a search, the times of lines, and all of it to save. */
export function Log({ namespace, jobId }: { readonly namespace: string; readonly jobId: string }) {
  const { lines, end, again } = useLog(namespace, jobId);
  const [text, setText] = useState('');
  const [hasTimes, setHasTimes] = useState(false);
  const sought = useDeferredValue(text.trim().toLowerCase());
  const shown = sought === '' ? lines : lines.filter(({ data }) => textOf(data).toLowerCase().includes(sought));
  const box = useRef<HTMLElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: after each line
  useEffect(() => {
    const element = box.current;
    if (element && element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END)
      element.scrollTop = element.scrollHeight;
  }, [lines]);

  return (
    <>
      <Group mb="xs" gap="sm">
        <TextInput
          className="grows"
          type="search"
          aria-label="Search in the log"
          placeholder="Search in the log"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Switch label="Times" checked={hasTimes} onChange={(event) => setHasTimes(event.currentTarget.checked)} />
        <Download namespace={namespace} jobId={jobId} lines={lines} isOver={end === 'over'} />
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard */}
      <section className="log" ref={box} aria-label="Lines" tabIndex={0}>
        <pre className="code">
          {shown.length === 0 ? ' ' : shown.map((line) => <Line key={line.number} line={line} hasTime={hasTimes} />)}
        </pre>
      </section>
      {typeof end === 'object' ? (
        <Failure error={end.error} retry={again} />
      ) : (
        <Group gap="md" mt={4}>
          <Text size="xs" c="dimmed" role="status">
            {end === 'open' ? 'Live' : lines.length === 0 ? 'No output' : 'End of the log'}
          </Text>
          {sought !== '' && (
            <Text size="xs" c="dimmed" role="status">
              {shown.length} of the last {lines.length} lines
            </Text>
          )}
        </Group>
      )}
    </>
  );
}

const Line = memo(({ line, hasTime }: { readonly line: NumberedLine; readonly hasTime: boolean }) => (
  <span>
    {hasTime && <time dateTime={line.timestamp}>{line.timestamp} </time>}
    {piecesOf(line.data).map(({ text, color, isBold }, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line never change places
      <span key={at} data-color={color} data-bold={isBold}>
        {text}
      </span>
    ))}
    {'\n'}
  </span>
));

/** Saves the whole log, of a running job as far as the page has it. */
function Download(props: {
  readonly namespace: string;
  readonly jobId: string;
  readonly lines: readonly NumberedLine[];
  readonly isOver: boolean;
}) {
  const { namespace, jobId, lines, isOver } = props;
  const hub = useHub();
  const newest = lines.at(-1)?.timestamp;
  const saving = useMutation({
    mutationFn: async () => {
      const all: string[] = [];
      for await (const { data, timestamp } of streamJobLogs({ ...hub, retry: false, namespace, jobId })) {
        all.push(`${timestamp} ${textOf(data)}\n`);
        if (!isOver && newest !== undefined && timestamp >= newest) break;
      }
      saveFile(new Blob(all, { type: 'text/plain' }), `${jobId}.log`);
    },
  });
  return (
    <>
      <Button
        variant="default"
        loading={saving.isPending}
        disabled={newest === undefined}
        onClick={() => saving.mutate()}
      >
        Download
      </Button>
      <Refused error={saving.error} mt="0" />
    </>
  );
}
