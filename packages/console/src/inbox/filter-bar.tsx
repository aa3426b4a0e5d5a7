import { Group, SegmentedControl } from '@mantine/core';
import { oneOf } from '../ui/chosen.ts';
import { RepoFilter } from '../ui/repo-filter.tsx';
import { type Filters, SHOWN } from './filters.ts';

/** Filters the inbox; a typed filter applies once the typing is finished. */
export function FilterBar(props: { readonly filters: Filters; readonly change: (change: Partial<Filters>) => void }) {
  const { filters, change } = props;
  return (
    <Group mb="sm" gap="sm">
      <SegmentedControl
        aria-label="Shown"
        value={filters.show}
        onChange={(value) => change({ show: oneOf(SHOWN, value) ?? 'all' })}
        data={[
          { value: 'all', label: 'All' },
          { value: 'unread', label: 'Unread' },
          { value: 'done', label: 'Done' },
        ]}
      />
      <SegmentedControl
        aria-label="Reason"
        value={filters.mention}
        onChange={(mention) => change({ mention })}
        data={[
          { value: 'all', label: 'Everything' },
          { value: 'participating', label: 'Participating' },
          { value: 'mentions', label: 'Mentions' },
        ]}
      />
      <RepoFilter
        value={filters.repo}
        placeholder="Repository: acme/bert, dataset/acme/letters"
        change={(repo) => change({ repo })}
      />
    </Group>
  );
}
