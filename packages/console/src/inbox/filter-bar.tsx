import { CloseButton, Group, SegmentedControl, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { CloseIcon } from '../ui/icons.tsx';
import type { Filters } from './filters.ts';

/** Narrows the inbox; what is typed counts when it is finished. */
export function FilterBar(props: { readonly filters: Filters; readonly change: (change: Partial<Filters>) => void }) {
  const { filters, change } = props;
  const [repo, setRepo] = useState(filters.repo);
  useEffect(() => setRepo(filters.repo), [filters.repo]);
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
        aria-label="Why"
        value={filters.mention}
        onChange={(value) => change({ mention: value as Filters['mention'] })}
        data={[
          { value: 'all', label: 'Everything' },
          { value: 'participating', label: 'Participating' },
          { value: 'mentions', label: 'Mentions' },
        ]}
      />
      <form
        className="grows"
        onSubmit={(event) => {
          event.preventDefault();
          change({ repo: repo.trim() });
        }}
      >
        <TextInput
          aria-label="Repository"
          placeholder="Repository: acme/bert, dataset/acme/letters"
          value={repo}
          onChange={(event) => setRepo(event.currentTarget.value)}
          onBlur={() => repo.trim() !== filters.repo && change({ repo: repo.trim() })}
          rightSection={
            filters.repo !== '' && (
              <CloseButton
                size="sm"
                aria-label="All repositories"
                icon={<CloseIcon size={16} />}
                onClick={() => change({ repo: '' })}
              />
            )
          }
        />
      </form>
    </Group>
  );
}
