import { Badge, Button, Group, Text } from '@mantine/core';
import {
  deleteScheduledJob,
  listScheduledJobs,
  resumeScheduledJob,
  runScheduledJob,
  type ScheduledJob,
  suspendScheduledJob,
} from '@moonbase/client/scheduled-jobs';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useHub } from '../session/session.tsx';
import { useAct } from '../ui/act.ts';
import { Confirm } from '../ui/asking/confirm.tsx';
import { useEntries } from '../ui/entries.ts';
import { To } from '../ui/link.tsx';
import { PagedList } from '../ui/lists/paged-list.tsx';
import { Page } from '../ui/page.tsx';
import { Refused } from '../ui/refused.tsx';
import { Empty, Loaded, Loading } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { nameOf } from './jobs.tsx';
import { JobSections, NewJobLink, OwnerSelect, useOwner } from './owner.tsx';

/** The scheduled jobs of a namespace. */
export function Schedules() {
  const namespace = useOwner();
  return (
    <Page title="Schedules" actions={<NewJobLink owner={namespace} />}>
      <JobSections />
      <Group mb="sm">
        <OwnerSelect />
      </Group>
      {namespace === undefined ? <Loading /> : <List key={namespace} namespace={namespace} />}
    </Page>
  );
}

function List({ namespace }: { readonly namespace: string }) {
  const hub = useHub();
  const [, go] = useLocation();
  const [deleting, setDeleting] = useState<ScheduledJob>();
  const { query, more } = useEntries(['schedules', namespace], (options) =>
    listScheduledJobs({ ...hub, namespace, ...options }),
  );
  const change = useAct(['schedules', namespace]);
  const remove = useAct(['schedules', namespace]);
  const run = useAct(['schedules', namespace], ['jobs', namespace]);
  const one = (jobId: string) => ({ ...hub, namespace, jobId });
  const stop = () => {
    setDeleting(undefined);
    remove.reset();
  };
  return (
    <>
      <Refused error={change.error ?? run.error} mt="0" />
      <Loaded query={query}>
        {(schedules) =>
          schedules.length === 0 ? (
            <Empty title="No schedules">A job with a schedule is started by the clock.</Empty>
          ) : (
            <PagedList label="Schedules" more={more} busy={query.isPlaceholderData}>
              {schedules.map((scheduled) => (
                <Row
                  key={scheduled.id}
                  scheduled={scheduled}
                  turn={() =>
                    change.act(() =>
                      scheduled.suspend
                        ? resumeScheduledJob(one(scheduled.id))
                        : suspendScheduledJob(one(scheduled.id)),
                    )
                  }
                  run={() =>
                    run.act(async () => {
                      const { id } = await runScheduledJob(one(scheduled.id));
                      go(`/jobs/${namespace}/${id}`);
                    })
                  }
                  remove={() => setDeleting(scheduled)}
                />
              ))}
            </PagedList>
          )
        }
      </Loaded>
      <Confirm
        opened={deleting !== undefined}
        title={`Delete the schedule of ${deleting && nameOf(deleting.jobSpec)}?`}
        action="Delete"
        busy={remove.busy}
        error={remove.error}
        close={stop}
        confirm={() => deleting && remove.act(() => deleteScheduledJob(one(deleting.id)), stop)}
      >
        {deleting && nameOf(deleting.jobSpec)} is no longer started by the clock; what it has begun runs on.
      </Confirm>
    </>
  );
}

function Row(props: {
  readonly scheduled: ScheduledJob;
  readonly turn: () => void;
  readonly run: () => void;
  readonly remove: () => void;
}) {
  const { scheduled, turn, run, remove } = props;
  const { schedule, suspend, status, owner, jobSpec } = scheduled;
  const name = nameOf(jobSpec);
  return (
    <Group component="li" className="row" px="md" py="sm" gap="sm">
      <Badge color={suspend ? 'gray' : 'green'} w={92}>
        {suspend ? 'suspended' : 'active'}
      </Badge>
      <div className="fills">
        <Text fw={600} fz={15} className="breaks">
          {name}
        </Text>
        <Text size="xs" c="dimmed" lineClamp={1} ff="monospace" className="breaks">
          {schedule} {jobSpec.command?.join(' ')}
        </Text>
        <Text size="xs" c="dimmed">
          {!suspend && (
            <>
              next <Time at={status.nextJobRunAt} />
            </>
          )}
          {status.lastJob && (
            <>
              {!suspend && ', '}
              <To href={`/jobs/${owner.name}/${status.lastJob.id}`} size="xs" underline="always">
                last run
              </To>{' '}
              <Time at={status.lastJob.at} />
            </>
          )}
        </Text>
      </div>
      <Group gap="xs">
        <Button size="compact-sm" variant="default" aria-label={`Run now: ${name}`} onClick={run}>
          Run now
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`${suspend ? 'Resume' : 'Suspend'} ${name}`}
          onClick={turn}
        >
          {suspend ? 'Resume' : 'Suspend'}
        </Button>
        <Button size="compact-sm" variant="default" aria-label={`Delete ${name}`} onClick={remove}>
          Delete
        </Button>
      </Group>
    </Group>
  );
}
