import { Paper } from '@mantine/core';
import { useState } from 'react';
import { FirstSteps } from '../first-steps/first-steps.tsx';
import { Confirm } from '../ui/asking/confirm.tsx';
import { Pager } from '../ui/lists/pager.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Failure, Loaded, Loading } from '../ui/states.tsx';
import { type Act, useChange } from './changes.ts';
import { FilterBar } from './filter-bar.tsx';
import { useFilters } from './filters.ts';
import { useInboxKeys } from './inbox-keys.ts';
import { LastChange } from './last-change.tsx';
import { useLeave } from './leave.ts';
import { NotificationList } from './notification-list.tsx';
import { PAGE_SIZE, useInboxPage } from './pages.ts';
import { SavedFilters } from './saved-filters.tsx';
import { ACTING, NOTHING, RESTORING, type Selection, SelectionBar } from './selection-bar.tsx';
import { threadOf } from './thread.ts';

export function Inbox() {
  const [filters, setFilters] = useFilters();
  const query = useInboxPage(filters);
  const change = useChange();
  const leave = useLeave();
  const [asking, setAsking] = useState(false);
  // A selection belongs to its filters; with other filters nothing is selected.
  const [selected, setSelected] = useState<{ of: typeof filters; selection: Selection }>({
    of: filters,
    selection: NOTHING,
  });
  const selection = selected.of === filters ? selected.selection : NOTHING;
  const select = (next: Selection) => setSelected({ of: filters, selection: next });
  const { notifications: shown = [], count: { view = 0 } = {} } = query.data ?? {};
  const ids = shown.map((each) => threadOf(each).id);
  const isDone = filters.show === 'done';
  const act = (what: Act, threads: Selection) => {
    // With all selected, notifications updated after this time stay as they are.
    const lastUpdate = filters.page === 0 ? shown[0]?.updatedAt : new Date(query.dataUpdatedAt).toISOString();
    change.mutate({ act: what, threads: threads === 'all' ? 'all' : [...threads], filters, lastUpdate });
    select(NOTHING);
  };
  /** What leaves the list by ids can be undone; for all that match, the user is asked. */
  const finish = (threads: Selection) => (threads === 'all' ? setAsking(true) : act('done', threads));
  const toggle = (id: string) => {
    const next = new Set(selection === 'all' ? ids : selection);
    if (!next.delete(id)) next.add(id);
    select(next);
  };
  useInboxKeys({ ids, selection, toggle, done: isDone ? () => {} : finish });

  return (
    <Page title="Inbox">
      <FirstSteps />
      <FilterBar filters={filters} change={setFilters} />
      <SavedFilters filters={filters} />
      {change.error && <Failure error={change.error} />}
      <Loaded query={query} loading={<Loading rows={10} height={60} />}>
        {({ notifications, reasons, count, start }) => (
          <Paper withBorder radius="md" aria-busy={query.isPlaceholderData}>
            <SelectionBar
              selection={selection}
              select={select}
              ids={ids}
              matching={count.view}
              changed={change.data?.count}
              acts={isDone ? RESTORING : ACTING}
              act={(what) => (what === 'done' ? finish(selection) : act(what, selection))}
            />
            {notifications.length === 0 ? (
              <NothingHere filtered={(count.all ?? 0) > 0} isDone={isDone} />
            ) : (
              <NotificationList
                notifications={notifications}
                reasons={reasons}
                isDone={isDone}
                selection={selection}
                toggle={toggle}
                narrow={(repo) => setFilters({ repo })}
                leave={leave}
              />
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
      <Confirm
        opened={asking}
        title={`Mark all ${view} as done?`}
        action={`Mark ${view} as done`}
        busy={false}
        error={null}
        close={() => setAsking(false)}
        confirm={() => {
          setAsking(false);
          act('done', 'all');
        }}
      >
        All notifications that match the filters leave the inbox. You find them under Done, and can move them back a
        page at a time.
      </Confirm>
      <LastChange change={change} leave={leave} />
    </Page>
  );
}

function NothingHere({ filtered, isDone }: { readonly filtered: boolean; readonly isDone: boolean }) {
  if (isDone)
    return <Empty title="Nothing here">What you mark as done is kept here, until something new happens there.</Empty>;
  return filtered ? (
    <Empty title="Nothing matches">No notification matches these filters.</Empty>
  ) : (
    <Empty title="All done">
      Activity in threads that you take part in, and in what you watch, appears here as it happens.
    </Empty>
  );
}
