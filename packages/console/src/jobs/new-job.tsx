import { Checkbox, Stack, TextInput } from '@mantine/core';
import { HubApiError } from '@moonbase/client/errors';
import { listJobHardware, runJob } from '@moonbase/client/jobs';
import { createScheduledJob } from '@moonbase/client/scheduled-jobs';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useHub } from '../session/session.tsx';
import { FormEnd } from '../ui/forms/form-end.tsx';
import { useUnsaved } from '../ui/forms/unsaved.ts';
import { Page } from '../ui/page.tsx';
import { Refused } from '../ui/refused.tsx';
import { Trail } from '../ui/trail.tsx';
import { type JobDraft, jobOf, NO_JOB } from './job-draft.ts';
import { JobFields } from './job-fields.tsx';
import { OwnerSelect, useOwner } from './owner.tsx';

/** Starts a job now, or schedules it. */
export function NewJob() {
  const hub = useHub();
  const queries = useQueryClient();
  const [, go] = useLocation();
  const namespace = useOwner() ?? '';
  const [job, setJob] = useState<JobDraft>(NO_JOB);
  const [schedule, setSchedule] = useState('');
  const [concurrency, setConcurrency] = useState(false);
  useUnsaved(job !== NO_JOB || schedule !== '');
  const hardware = useQuery({
    queryKey: ['hardware'],
    queryFn: ({ signal }) => listJobHardware({ ...hub, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const cron = schedule.trim();
  const start = useMutation({
    async mutationFn() {
      const { timeoutSeconds, ...rest } = jobOf(job);
      // A job without a time-out gets the hub's default.
      const jobSpec = { ...rest, ...(timeoutSeconds !== null && { timeoutSeconds }) };
      if (cron === '') return (await runJob({ ...hub, namespace, job: jobSpec })).id;
      await createScheduledJob({ ...hub, namespace, jobSpec, schedule: cron, concurrency });
      return undefined;
    },
    async onSuccess(id) {
      await queries.invalidateQueries({ queryKey: [id === undefined ? 'schedules' : 'jobs', namespace] });
      go(id === undefined ? `/jobs/schedules?owner=${encodeURIComponent(namespace)}` : `/jobs/${namespace}/${id}`);
    },
  });
  const faults = faultsOf(start.error);
  return (
    <Page title="New job" above={<Trail above={[{ href: '/jobs', name: 'Jobs' }]}>New</Trail>}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          start.mutate();
        }}
      >
        <Stack maw={680}>
          <OwnerSelect labelled />
          <JobFields
            job={job}
            flavors={hardware.data?.map(({ name }) => name) ?? ['cpu-basic']}
            change={(change) => {
              setJob((before) => ({ ...before, ...change }));
              start.reset();
            }}
            fault={(field) => faults[field]}
            touch={() => undefined}
          />
          <TextInput
            label="Schedule"
            description="Empty: now, once. Otherwise @hourly, @daily and the like, or cron in UTC, as in 0 9 * * 1."
            value={schedule}
            onChange={(event) => {
              setSchedule(event.currentTarget.value);
              start.reset();
            }}
            error={faults.schedule}
          />
          {cron !== '' && (
            <Checkbox
              label="Runs may overlap"
              checked={concurrency}
              onChange={(event) => setConcurrency(event.currentTarget.checked)}
            />
          )}
          {start.error && Object.keys(faults).length === 0 && <Refused error={start.error} mt="0" />}
          <FormEnd
            submit={cron === '' ? 'Start' : 'Schedule'}
            busy={start.isPending}
            disabled={job.image.trim() === '' || namespace === ''}
            back="/jobs"
          />
        </Stack>
      </form>
    </Page>
  );
}

const FIELDS = ['dockerImage', 'spaceId', 'command', 'arguments', 'flavor', 'timeoutSeconds', 'attempts']
  .concat(['environment', 'secrets', 'volumes', 'labels'])
  .map((name) => `job.${name}`)
  .concat('schedule');

/** Returns the faults that the hub reports by field; none if one of them belongs to no field. */
function faultsOf(error: unknown): Readonly<Record<string, string | undefined>> {
  if (!(error instanceof HubApiError)) return {};
  const faults = error.issues.map(({ path, message }) => {
    const [name = ''] = path.replace(/^body\.?(jobSpec\.)?/, '').split('.');
    return [name === 'schedule' ? name : `job.${name}`, message] as const;
  });
  return faults.every(([field]) => FIELDS.includes(field)) ? Object.fromEntries(faults) : {};
}
