import { SegmentedControl, TextInput } from '@mantine/core';
import { JobFields } from '../jobs/job-fields.tsx';
import type { Draft } from './draft.ts';
import { useFlavors } from './flavors.ts';

/** The target of a webhook: a URL, a job, or an earlier job that is run again. */
export function TargetFields(props: {
  readonly draft: Draft;
  /** Whether the webhook already starts a job, whose hidden fields stay. */
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
        aria-label="Target"
        value={draft.target}
        onChange={(target) => change({ target })}
        data={[
          { value: 'url', label: 'Send an HTTP request' },
          { value: 'job', label: 'Start a job' },
          { value: 'source', label: 'Re-run a job' },
        ]}
      />
      {draft.target === 'url' ? (
        <TextInput
          label="Payload URL"
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
          description="The id of a job, whose current specification and secrets are copied."
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
