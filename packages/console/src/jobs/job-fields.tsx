import { Group, Select, Textarea, TextInput } from '@mantine/core';
import type { JobDraft } from './draft.ts';
import { useFlavors } from './flavors.ts';

/** What a webhook runs instead of calling an address. */
export function JobFields(props: {
  readonly job: JobDraft;
  readonly change: (change: Partial<JobDraft>) => void;
  readonly fault: (field: string) => string | undefined;
  readonly touch: (...fields: string[]) => void;
}) {
  const { job, change, fault, touch } = props;
  const flavors = useFlavors();
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
        ff="monospace"
        value={job.command}
        onChange={(event) => change({ command: event.currentTarget.value })}
        onBlur={() => touch('job.command')}
        error={fault('job.command')}
      />
      <Group grow align="flex-start">
        <Select
          label="Hardware"
          searchable
          allowDeselect={false}
          data={flavors}
          value={job.flavor}
          onChange={(flavor) => flavor && change({ flavor })}
          error={fault('job.flavor')}
        />
        <TextInput
          label="Time limit (seconds)"
          inputMode="numeric"
          value={job.timeoutSeconds}
          onChange={(event) => change({ timeoutSeconds: event.currentTarget.value })}
          onBlur={() => touch('job.timeoutSeconds')}
          error={fault('job.timeoutSeconds')}
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
        description="NAME=value, one a line. They are encrypted and never shown again."
        autosize
        minRows={2}
        value={job.secrets}
        onChange={(event) => change({ secrets: event.currentTarget.value })}
        onBlur={() => touch('job.secrets')}
        error={fault('job.secrets')}
      />
    </>
  );
}
