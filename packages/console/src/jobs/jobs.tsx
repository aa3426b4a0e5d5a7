import { Group, Select, Text } from '@mantine/core';
import { type JobInfo, listJobs } from '@moonbase/client/jobs';
import { useSearchParams } from 'wouter';
import { useHub } from '../session/session.tsx';
import { useEntries } from '../ui/entries.ts';
import { To } from '../ui/link.tsx';
import { PagedList } from '../ui/lists/paged-list.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Loaded, Loading } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { JobSections, NewJobLink, OwnerSelect, useOwner } from './owner.tsx';
import { durationText } from './progress.ts';
import { StageBadge } from './stage-badge.tsx';

const STAGES = ['SCHEDULING', 'RUNNING', 'COMPLETED', 'CANCELED', 'ERROR'] as const;
type Stage = (typeof STAGES)[number];

/** The jobs of the user or of a chosen organization. */
export function Jobs() {
  const namespace = useOwner();
  const [params, setParams] = useSearchParams();
  const stage = STAGES.find((each) => each === params.get('stage'));
  const change = (chosen: string | null) =>
    setParams((before) => {
      const next = new URLSearchParams(before);
      if (chosen === null) next.delete('stage');
      else next.set('stage', chosen);
      return next;
    });
  return (
    <Page title="Jobs" actions={<NewJobLink owner={namespace} />}>
      <JobSections />
      <Group mb="sm" gap="sm">
        <OwnerSelect />
        <Select
          aria-label="Stage"
          placeholder="Any stage"
          clearable
          clearButtonProps={{ 'aria-label': 'Any stage' }}
          data={STAGES.map((value) => ({ value, label: value.toLowerCase() }))}
          value={stage ?? null}
          onChange={change}
        />
      </Group>
      {namespace === undefined ? <Loading /> : <JobList namespace={namespace} stage={stage} />}
    </Page>
  );
}

function JobList({ namespace, stage }: { readonly namespace: string; readonly stage: Stage | undefined }) {
  const hub = useHub();
  const { query, more } = useEntries(['jobs', namespace, stage], (options) =>
    listJobs({ ...hub, namespace, ...options, ...(stage && { stage }) }),
  );
  return (
    <Loaded query={query}>
      {(jobs) =>
        jobs.length === 0 ? (
          <Empty title="No jobs">Webhooks, schedules and the command `hf jobs run` start jobs.</Empty>
        ) : (
          <PagedList label="Jobs" more={more} busy={query.isPlaceholderData}>
            {jobs.map((job) => (
              <JobRow key={job.id} job={job} />
            ))}
          </PagedList>
        )
      }
    </Loaded>
  );
}

export const nameOf = ({ dockerImage, spaceId }: Pick<JobInfo, 'dockerImage' | 'spaceId'>): string =>
  dockerImage ?? spaceId ?? 'Job';

function JobRow({ job }: { readonly job: JobInfo }) {
  const { id, owner, status, command, flavor, createdAt, durations } = job;
  return (
    <Group component="li" className="row" px="md" py="sm" gap="sm" wrap="nowrap">
      <StageBadge stage={status.stage} />
      <div className="fills">
        <To href={`/jobs/${owner.name}/${id}`} className="row-title" fw={600} fz={15}>
          {nameOf(job)}
        </To>
        <Text size="xs" c="dimmed" lineClamp={1} ff="monospace">
          {command?.join(' ')}
        </Text>
      </div>
      <Text size="xs" c="dimmed" visibleFrom="sm">
        {flavor}
        {durations?.totalSecs !== undefined && `, ${durationText(durations.totalSecs)}`}
      </Text>
      <Text size="xs" c="dimmed" miw={84} ta="right">
        <Time at={createdAt} />
      </Text>
    </Group>
  );
}
