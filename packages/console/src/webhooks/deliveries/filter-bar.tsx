import { Button, Group, Select } from '@mantine/core';
import { oneOf } from '../../ui/chosen.ts';
import { RepoFilter } from '../../ui/repo-filter.tsx';
import { SCOPES } from '../events.ts';
import { type Filters, STATUSES } from './filters.ts';

/** Filters the log of a webhook. */
export function DeliveryFilterBar(props: { readonly filters: Filters; readonly change: (change: Filters) => void }) {
  const { filters, change } = props;
  return (
    <Group px="md" pb="sm" gap="xs">
      <Choice of="Outcome" values={STATUSES} value={filters.status} choose={(status) => change({ status })} />
      <Choice of="Event" width={180} values={SCOPES} value={filters.scope} choose={(scope) => change({ scope })} />
      <RepoFilter value={filters.repo ?? ''} placeholder="Repository: acme/bert" change={(repo) => change({ repo })} />
      <Choice
        of="Time"
        values={PERIODS.map(({ label }) => label)}
        value={periodOf(filters.from)}
        choose={(label) => change({ from: beginningOf(label), to: undefined })}
      />
      {Object.keys(filters).length > 0 && (
        <Button
          variant="subtle"
          onClick={() =>
            change({ status: undefined, scope: undefined, repo: undefined, from: undefined, to: undefined })
          }
        >
          Clear
        </Button>
      )}
    </Group>
  );
}

/** Selects one of several values, or any value. */
function Choice<T extends string>(props: {
  readonly of: string;
  readonly values: readonly T[];
  readonly value: T | undefined;
  readonly width?: number;
  readonly choose: (value: T | undefined) => void;
}) {
  const { of, values, value, width = 150, choose } = props;
  const any = `Any ${of.toLowerCase()}`;
  return (
    <Select
      aria-label={of}
      placeholder={any}
      clearable
      clearButtonProps={{ 'aria-label': any }}
      w={width}
      data={[...values]}
      value={value ?? null}
      onChange={(text) => choose(oneOf(values, text))}
    />
  );
}

const HOUR_MS = 3_600_000;
const PERIODS = [
  { label: 'Last hour', hours: 1 },
  { label: 'Last 24 hours', hours: 24 },
  { label: 'Last 7 days', hours: 7 * 24 },
];

function beginningOf(label: string | undefined): string | undefined {
  const period = PERIODS.find((each) => each.label === label);
  return period && new Date(Date.now() - period.hours * HOUR_MS).toISOString();
}

/** Returns the shortest period that covers the time since `from`. */
function periodOf(from: string | undefined): string | undefined {
  if (from === undefined) return undefined;
  const hours = (Date.now() - Date.parse(from)) / HOUR_MS;
  return PERIODS.find((each) => hours <= each.hours + 1)?.label ?? PERIODS.at(-1)?.label;
}
