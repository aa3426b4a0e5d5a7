import { Badge, Button, Group, Text } from '@mantine/core';
import { type DeadLetter, discardDeadLetter, listDeadLetters, retryDeadLetter } from '@moonbase/client/admin';
import { useState } from 'react';
import { useHub } from '../session/session.tsx';
import { useAct } from '../ui/act.ts';
import { Confirm } from '../ui/asking/confirm.tsx';
import { useEntries } from '../ui/entries.ts';
import { PagedList } from '../ui/lists/paged-list.tsx';
import { Empty, Failure, Loaded } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { Administration } from './administration.tsx';

const KEY = ['admin', 'dead-letters'];

/** Lists dead letters: items that failed too often, until an administrator retries or discards them. */
export function DeadLetters() {
  const hub = useHub();
  const { query, more } = useEntries(KEY, (options) => listDeadLetters({ ...hub, ...options }));
  const retry = useAct(KEY, ['admin', 'status']);
  const discard = useAct(KEY, ['admin', 'status']);
  const [discarding, setDiscarding] = useState<DeadLetter>();
  const stop = () => {
    discard.reset();
    setDiscarding(undefined);
  };
  return (
    <Administration tab="Dead letters">
      {retry.error && <Failure error={retry.error} />}
      <Loaded query={query}>
        {(letters) =>
          letters.length === 0 ? (
            <Empty title="No dead letters">
              What fails five times, or ends the hub three times, is set aside here; its queue goes on.
            </Empty>
          ) : (
            <PagedList label="Dead letters" more={more} busy={query.isPlaceholderData}>
              {letters.map((letter) => (
                <Row
                  key={letter.id}
                  letter={letter}
                  busy={retry.busy}
                  retry={() => retry.act(() => retryDeadLetter({ ...hub, id: letter.id }))}
                  discard={() => setDiscarding(letter)}
                />
              ))}
            </PagedList>
          )
        }
      </Loaded>
      <Confirm
        opened={discarding !== undefined}
        title={`Discard ${discarding?.kind} ${discarding?.itemId}?`}
        action="Discard"
        busy={discard.busy}
        error={discard.error}
        close={stop}
        confirm={() => discarding && discard.act(() => discardDeadLetter({ ...hub, id: discarding.id }), stop)}
      >
        {discarding && lossOf(discarding)}
      </Confirm>
    </Administration>
  );
}

/** What is lost when a dead letter is discarded, by queue. */
function lossOf({ queue }: DeadLetter): string {
  switch (queue) {
    case 'events':
      return 'What has not followed from this event yet never will: notifications, deliveries and mails.';
    case 'tasks':
      return 'The rest of this task is never done. One that begins again by the clock begins again in a day.';
    case 'deliveries':
      return 'The delivery stays failed; the owner of its webhook can replay it.';
    case 'mails':
      return 'The mail is never sent.';
    case 'jobs':
      return 'The job ends with an error, and what runs of it is ended.';
    case 'scheduled-jobs':
      return 'The job is launched again at the next time of its schedule.';
  }
}

const countOf = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

function Row(props: {
  readonly letter: DeadLetter;
  readonly busy: boolean;
  readonly retry: () => void;
  readonly discard: () => void;
}) {
  const { letter, busy, retry, discard } = props;
  const { queue, kind, error, itemId, failures, deaths, createdAt, setAsideAt } = letter;
  return (
    <Group component="li" className="row" px="md" py="sm">
      <div className="fills">
        <Text size="sm" fw={600} className="breaks">
          {kind}
        </Text>
        <Text size="sm" className="breaks">
          {error}
        </Text>
        <Text size="xs" c="dimmed" className="breaks">
          {itemId}, made <Time at={createdAt} />, set aside <Time at={setAsideAt} /> after{' '}
          {deaths > 0 ? countOf(deaths, 'crash', 'crashes') : countOf(failures, 'failure', 'failures')}
        </Text>
      </div>
      <Badge color="gray" tt="none">
        {queue}
      </Badge>
      <Button size="xs" variant="default" loading={busy} onClick={retry} aria-label={`Retry ${kind}`}>
        Retry
      </Button>
      <Button size="xs" variant="subtle" color="red" onClick={discard} aria-label={`Discard ${kind}`}>
        Discard
      </Button>
    </Group>
  );
}
