import { Button, Group, Paper, Stack, Table, Text, Title } from '@mantine/core';
import { cancelJob, duplicateJob, getJob, type JobInfo } from '@moonbase/client/jobs';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { useHub } from '../session/session.tsx';
import { AskedButton } from '../ui/asking/asked-button.tsx';
import { Outcome } from '../ui/outcome.tsx';
import { Page } from '../ui/page.tsx';
import { Loaded } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { Trail } from '../ui/trail.tsx';
import { nameOf } from './jobs.tsx';
import { Log } from './log/log.tsx';
import { attemptText, durationText } from './progress.ts';
import { isOver, StageBadge } from './stage-badge.tsx';

/** The page of a job: its specification, its state and its log. */
export function Job() {
  const { namespace = '', jobId = '' } = useParams();
  const one = { ...useHub(), namespace, jobId };
  const queries = useQueryClient();
  const [, go] = useLocation();
  const queryKey = ['job', namespace, jobId];
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => getJob({ ...one, signal }),
    refetchInterval: ({ state }) => (state.data && isOver(state.data.status.stage) ? false : 2000),
  });
  const cancel = async () => queries.setQueryData(queryKey, await cancelJob(one));
  const rerun = useMutation({
    mutationFn: () => duplicateJob(one),
    async onSuccess({ id, owner }) {
      await queries.invalidateQueries({ queryKey: ['jobs'] });
      go(`/jobs/${owner.name}/${id}`);
    },
  });
  const { error } = rerun;
  return (
    <Page
      title={query.data ? nameOf(query.data) : 'Job'}
      tab={`Job ${jobId}`}
      above={
        <Trail
          above={[
            { href: '/jobs', name: 'Jobs' },
            { href: `/jobs?owner=${encodeURIComponent(namespace)}`, name: namespace },
          ]}
        >
          {jobId}
        </Trail>
      }
      actions={
        query.data && (
          <>
            {!isOver(query.data.status.stage) && (
              <AskedButton
                label="Cancel"
                question={`Cancel ${nameOf(query.data)}?`}
                action="Cancel the job"
                size="sm"
                does={cancel}
              >
                The run ends, and whatever it has not stored elsewhere is lost. The job can be run again from its
                beginning.
              </AskedButton>
            )}
            <Button component={Link} href={`/webhooks/new?job=${jobId}`} variant="default">
              Trigger from webhook
            </Button>
            <Button loading={rerun.isPending} onClick={() => rerun.mutate()}>
              Run again
            </Button>
          </>
        )
      }
    >
      <Outcome of={error} error={error} text={undefined} good={false} />
      <Loaded query={query}>
        {(job) => (
          <Stack>
            <Details job={job} />
            <section aria-label="Log">
              <Title order={2} mb="xs">
                Log
              </Title>
              <Log key={jobId} namespace={namespace} jobId={jobId} />
            </section>
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function Details({ job }: { readonly job: JobInfo }) {
  const { status, command, flavor, environment, secrets, labels, volumes } = job;
  const { createdAt, createdBy, initiator, durations } = job;
  const rows: [string, ReactNode][] = [
    ['Command', command && <code>{command.join(' ')}</code>],
    // The runner of the hub decides what it gives; the hub does not tell that.
    ['Requested hardware', flavor],
    [
      'Started',
      <>
        <Time at={createdAt} /> by {createdBy.name}
        {initiator && initiator.type !== 'user' && initiator.type !== 'org' && ` (${initiator.type} ${initiator.id})`}
      </>,
    ],
    [
      isOver(status.stage) ? 'Took' : 'Elapsed',
      durations?.totalSecs !== undefined && durationText(durations.totalSecs),
    ],
    ['Progress', attemptText(job)],
    ['Environment', Object.keys(environment).length > 0 && <code>{linesOf(environment)}</code>],
    ['Labels', labels && Object.keys(labels).length > 0 && <code>{linesOf(labels)}</code>],
    ['Volumes', volumes?.map(({ type, source, mountPath }) => `${type} ${source} at ${mountPath}`).join('\n')],
    ['Secrets', secrets && secrets.length > 0 && secrets.join(', ')],
  ];
  return (
    <Paper withBorder p="md">
      <Group mb="xs">
        <StageBadge stage={status.stage} />
        <Text size="sm" className="breaks">
          {status.message}
        </Text>
      </Group>
      <Table layout="fixed">
        <Table.Tbody>
          {rows.map(
            ([name, value]) =>
              value && (
                <Table.Tr key={name}>
                  <Table.Th scope="row" w={120}>
                    {name}
                  </Table.Th>
                  <Table.Td className="breaks keeps-lines">{value}</Table.Td>
                </Table.Tr>
              ),
          )}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

const linesOf = (environment: Readonly<Record<string, string>>) =>
  Object.entries(environment)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');
