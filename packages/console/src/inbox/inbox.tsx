import { Paper } from '@mantine/core';
import { useState } from 'react';
import { FirstSteps } from '../first-steps/first-steps.tsx';
import { Page } from '../ui/page.tsx';
import { Pager } from '../ui/pager.tsx';
import { Empty, Failure, Loaded, Loading } from '../ui/states.tsx';
import { type Act, useChange } from './changes.ts';
import { FilterBar } from './filter-bar.tsx';
import { useFilters } from './filters.ts';
import { useInboxKeys } from './inbox-keys.ts';
import { PAGE_SIZE, useInboxPage } from './pages.ts';
import { Row } from './row.tsx';
import { NOTHING, type Selection, SelectionBar } from './selection-bar.tsx';
import { threadOf } from './thread.ts';

export function Inbox() {
  const [filters, setFilters] = useFilters();
  const query = useInboxPage(filters);
  const change = useChange();
  // A selection belongs to its filters; with other filters nothing is selected.
  const [selected, setSelected] = useState<{ of: typeof filters; selection: Selection }>({
    of: filters,
    selection: NOTHING,
  });
  const selection = selected.of === filters ? selected.selection : NOTHING;
  const select = (next: Selection) => setSelected({ of: filters, selection: next });
  const { notifications: shown = [] } = query.data ?? {};
  const act = (what: Act, threads: Selection) => {
    // With all selected, notifications updated after this time stay as they are.
    const lastUpdate = filters.page === 0 ? shown[0]?.updatedAt : new Date(query.dataUpdatedAt).toISOString();
    change.mutate({ act: what, threads: threads === 'all' ? 'all' : [...threads], filters, lastUpdate });
    select(NOTHING);
  };
  const toggle = (id: string) => {
    const next = new Set(selection === 'all' ? shown.map((each) => threadOf(each).id) : selection);
    if (!next.delete(id)) next.add(id);
    select(next);
  };
  useInboxKeys({
    ids: shown.map((each) => threadOf(each).id),
    selection,
    toggle,
    done: (threads) => act('done', threads),
  });

  return (
    <Page title="Inbox">
      <FirstSteps />
      <FilterBar filters={filters} change={setFilters} />
      {change.error && <Failure error={change.error} />}
      <Loaded query={query} loading={<Loading rows={10} height={60} />}>
        {({ notifications, count, start }) => (
          <Paper withBorder radius="md" aria-busy={query.isPlaceholderData}>
            <SelectionBar
              selection={selection}
              select={select}
              ids={notifications.map((each) => threadOf(each).id)}
              matching={count.view}
              changed={change.data?.count}
              act={(what) => act(what, selection)}
            />
            {notifications.length === 0 ? (
              <NothingHere filtered={count.all > 0} />
            ) : (
              <ul className="plain-list" aria-label="Notifications">
                {notifications.map((each) => {
                  const thread = threadOf(each);
                  return (
                    <Row
                      key={thread.id}
                      thread={thread}
                      read={each.read}
                      updatedAt={each.updatedAt}
                      selected={selection === 'all' || selection.has(thread.id)}
                      toggle={() => toggle(thread.id)}
                      narrow={(repo) => setFilters({ repo })}
                    />
                  );
                })}
              </ul>
            )}
            <Pager
              page={filters.page}
              pages={Math.ceil(count.view / PAGE_SIZE)}
              shown={`${count.view === 0 ? 0 : start + 1} to ${start + notifications.length} of ${count.view}`}
              go={(page) => setFilters({ page })}
            />
          </Paper>
        )}
      </Loaded>
    </Page>
  );
}

const NothingHere = ({ filtered }: { readonly filtered: boolean }) =>
  filtered ? (
    <Empty title="Nothing matches">Nothing in the inbox is like this.</Empty>
  ) : (
    <Empty title="All done">
      What happens in the threads you take part in, and on what you watch, comes here as it happens.
    </Empty>
  );
