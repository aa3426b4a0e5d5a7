import { Group, SegmentedControl } from '@mantine/core';
import { RepoFilter } from '../ui/repo-filter.tsx';
import type { Filters } from './filters.ts';

/** Filters the inbox; a typed filter applies once the typing is finished. */
export function FilterBar(props: { readonly filters: Filters; readonly change: (change: Partial<Filters>) => void }) {
  const { filters, change } = props;
  return (
    <Group mb="sm" gap="sm">
      <SegmentedControl
        aria-label="Read or unread"
        value={filters.unread ? 'unread' : 'all'}
        onChange={(value) => change({ unread: value === 'unread' })}
        data={[
          { value: 'all', label: 'All' },
          { value: 'unread', label: 'Unread' },
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
