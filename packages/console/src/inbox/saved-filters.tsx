import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { useMe } from '../session/session.tsx';
import { To } from '../ui/link.tsx';
import { type Filters, filtersIn, paramsOf } from './filters.ts';

const MAX_SAVED = 20;
/** Where this browser keeps the filters of a user: the queries of their addresses. */
const keyOf = (userId: string) => `moonbase.inbox-filters.${userId}`;

function read(userId: string): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? '[]');
    return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string').slice(0, MAX_SAVED) : [];
  } catch {
    return [];
  }
}

const NAMES = {
  unread: 'Unread',
  done: 'Done',
  participating: 'Participating',
  mentions: 'Mentions',
  all: '',
} as const;

/** Describes filters: `Unread, Mentions, acme/bert`. */
const nameOf = ({ show, mention, repo }: Filters): string =>
  [NAMES[show], NAMES[mention], repo].filter((each) => each !== '').join(', ');

/** Links to the filters that the user has saved in this browser, and a button that saves those on the page or removes them. */
export function SavedFilters({ filters }: { readonly filters: Filters }) {
  const { data: me } = useMe();
  return me ? <OfUser key={me.id} userId={me.id} filters={filters} /> : null;
}

function OfUser({ userId, filters }: { readonly userId: string; readonly filters: Filters }) {
  const [saved, setSaved] = useState(() => read(userId));
  const here = paramsOf({ ...filters, page: 0 }).toString();
  const isSaved = saved.includes(here);
  if (saved.length === 0 && here === '') return null;
  const change = (next: readonly string[]) => {
    localStorage.setItem(keyOf(userId), JSON.stringify(next));
    setSaved(next);
  };
  return (
    <Group component="nav" aria-label="Saved filters" gap="md" mb="sm">
      {saved.map((each) => (
        <To
          key={each}
          href={`/inbox?${each}`}
          size="sm"
          className="breaks"
          aria-current={each === here ? 'page' : undefined}
          fw={each === here ? 600 : undefined}
        >
          {nameOf(filtersIn(new URLSearchParams(each)))}
        </To>
      ))}
      {here !== '' && (isSaved || saved.length < MAX_SAVED) && (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => change(isSaved ? saved.filter((each) => each !== here) : [...saved, here])}
        >
          {isSaved ? 'Remove this filter' : 'Save this filter'}
        </Button>
      )}
    </Group>
  );
}
