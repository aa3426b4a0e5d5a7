import { Button, Group, Select } from '@mantine/core';
import { RepoFilter } from '../ui/repo-filter.tsx';
import { type Filters, STATUSES } from './delivery-filters.ts';
import { SCOPES } from './events.ts';

/** Narrows the log of a webhook. */
export function DeliveryFilterBar(props: { readonly filters: Filters; readonly change: (change: Filters) => void }) {
  const { filters, change } = props;
  return (
    <Group px="md" pb="sm" gap="xs">
      <Select
        aria-label="Outcome"
        placeholder="Any outcome"
        clearable
        clearButtonProps={{ 'aria-label': 'Any outcome' }}
        w={150}
        data={[...STATUSES]}
        value={filters.status ?? null}
        onChange={(status) => change({ status: (status ?? undefined) as Filters['status'] })}
      />
      <Select
        aria-label="Event"
        placeholder="Any event"
        clearable
        clearButtonProps={{ 'aria-label': 'Any event' }}
        w={180}
        data={SCOPES}
        value={filters.scope ?? null}
        onChange={(scope) => change({ scope: (scope ?? undefined) as Filters['scope'] })}
      />
      <RepoFilter value={filters.repo ?? ''} placeholder="Repository: acme/bert" change={(repo) => change({ repo })} />
      <Select
        aria-label="Time"
        placeholder="Any time"
        clearable
        clearButtonProps={{ 'aria-label': 'Any time' }}
        w={150}
        data={PERIODS.map(({ label }) => label)}
        value={periodOf(filters.from)}
        onChange={(label) => change({ from: beginningOf(label), to: undefined })}
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

const HOUR_MS = 3_600_000;
const PERIODS = [
  { label: 'Last hour', hours: 1 },
  { label: 'Last 24 hours', hours: 24 },
  { label: 'Last 7 days', hours: 7 * 24 },
];

function beginningOf(label: string | null): string | undefined {
  const period = PERIODS.find((each) => each.label === label);
  return period && new Date(Date.now() - period.hours * HOUR_MS).toISOString();
}

/** The shortest period that begins there or before. */
function periodOf(from: string | undefined): string | null {
  if (from === undefined) return null;
  const hours = (Date.now() - Date.parse(from)) / HOUR_MS;
  return PERIODS.find((each) => hours <= each.hours + 1)?.label ?? PERIODS.at(-1)?.label ?? null;
}
