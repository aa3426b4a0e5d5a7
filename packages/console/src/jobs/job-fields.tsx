import { Group, Select, Textarea, TextInput } from '@mantine/core';
import type { JobDraft } from './job-draft.ts';

/** The fields of a job. `fault` takes the field names of the API, as in `job.dockerImage`. */
export function JobFields(props: {
  readonly job: JobDraft;
  readonly flavors: string[];
  /** Whether the job exists, so that settings which the form does not show stay. */
  readonly existing?: boolean;
  readonly change: (change: Partial<JobDraft>) => void;
  readonly fault: (field: string) => string | undefined;
  readonly touch: (...fields: string[]) => void;
}) {
  const { job, flavors, existing = false, change, fault, touch } = props;
  const keeps = existing ? ' Empty: as before.' : '';
  return (
    <>
      <TextInput
        label="Image"
        description="A Docker image, or a Space as in space:acme/app."
        placeholder="python:3.12"
        required
        value={job.image}
        onChange={(event) => change({ image: event.currentTarget.value })}
        onBlur={() => touch('job.dockerImage', 'job.spaceId')}
        error={fault('job.dockerImage') ?? fault('job.spaceId')}
      />
      <TextInput
        label="Command"
        placeholder='python -c "print(1)"'
        value={job.command}
        onChange={(event) => change({ command: event.currentTarget.value })}
        onBlur={() => touch('job.command')}
        error={fault('job.command')}
      />
      <TextInput
        label="Arguments"
        value={job.args}
        onChange={(event) => change({ args: event.currentTarget.value })}
        onBlur={() => touch('job.arguments')}
        error={fault('job.arguments')}
      />
      <Group align="flex-start" gap="md">
        <Select
          label="Hardware"
          className="grows"
          searchable
          allowDeselect={false}
          data={flavors}
          value={job.flavor}
          onChange={(flavor) => flavor && change({ flavor })}
          error={fault('job.flavor')}
        />
        <TextInput
          label="Time limit (seconds)"
          className="grows"
          inputMode="numeric"
          value={job.timeoutSeconds}
          onChange={(event) => change({ timeoutSeconds: event.currentTarget.value })}
          onBlur={() => touch('job.timeoutSeconds')}
          error={fault('job.timeoutSeconds')}
        />
        <TextInput
          label="Attempts"
          placeholder={existing ? 'as before' : '1'}
          inputMode="numeric"
          value={job.attempts}
          onChange={(event) => change({ attempts: event.currentTarget.value })}
          onBlur={() => touch('job.attempts')}
          error={fault('job.attempts')}
        />
      </Group>
      <Textarea
        label="Environment"
        description="NAME=value, one a line."
        autosize
        minRows={2}
        value={job.environment}
        onChange={(event) => change({ environment: event.currentTarget.value })}
        onBlur={() => touch('job.environment')}
        error={fault('job.environment')}
      />
      <Textarea
        label="Secrets"
        description={`NAME=value, one a line. They are encrypted and never shown again.${keeps}`}
        autosize
        minRows={2}
        value={job.secrets}
        onChange={(event) => change({ secrets: event.currentTarget.value })}
        onBlur={() => touch('job.secrets')}
        error={fault('job.secrets')}
      />
      <Textarea
        label="Volumes"
        description={`Type, name and path, one a line, as in bucket acme/store /data; ro behind it to read only.${keeps}`}
        autosize
        value={job.volumes}
        onChange={(event) => change({ volumes: event.currentTarget.value })}
        onBlur={() => touch('job.volumes')}
        error={fault('job.volumes')}
      />
      <Textarea
        label="Labels"
        description="name=value, one a line."
        autosize
        value={job.labels}
        onChange={(event) => change({ labels: event.currentTarget.value })}
        onBlur={() => touch('job.labels')}
        error={fault('job.labels')}
      />
    </>
  );
}
