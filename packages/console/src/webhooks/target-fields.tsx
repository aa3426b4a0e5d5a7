import { SegmentedControl, TextInput } from '@mantine/core';
import { JobFields } from '../jobs/job-fields.tsx';
import type { Draft } from './draft.ts';
import { useFlavors } from './flavors.ts';

/** What a webhook does: it calls an address, starts a job or repeats one. */
export function TargetFields(props: {
  readonly draft: Draft;
  /** Whether it starts a job already: what is not shown of that stays. */
  readonly existingJob: boolean;
  readonly change: (change: Partial<Draft>) => void;
  readonly fault: (field: string) => string | undefined;
  readonly touch: (...fields: string[]) => void;
}) {
  const { draft, existingJob, change, fault, touch } = props;
  const flavors = useFlavors();
  return (
    <>
      <SegmentedControl
        aria-label="What it does"
        value={draft.target}
        onChange={(target) => change({ target: target as Draft['target'] })}
        data={[
          { value: 'url', label: 'Call an address' },
          { value: 'job', label: 'Start a job' },
          { value: 'source', label: 'Repeat a job' },
        ]}
      />
      {draft.target === 'url' ? (
        <TextInput
          label="Address"
          description="Where the hub sends a POST request."
          placeholder="https://example.com/hooks"
          type="url"
          inputMode="url"
          autoComplete="off"
          required
          value={draft.url}
          onChange={(event) => change({ url: event.currentTarget.value })}
          onBlur={() => touch('url')}
          error={fault('url')}
        />
      ) : draft.target === 'source' ? (
        <TextInput
          label="Job"
          description="The id of a job: what it is now is copied, with its secrets."
          autoComplete="off"
          required
          value={draft.jobSourceId}
          onChange={(event) => change({ jobSourceId: event.currentTarget.value })}
          error={fault('jobSourceId')}
        />
      ) : (
        <JobFields
          job={draft.job}
          flavors={flavors}
          existing={existingJob}
          change={(job) => change({ job: { ...draft.job, ...job } })}
          fault={fault}
          touch={touch}
        />
      )}
    </>
  );
}
