import { Autocomplete, Avatar, Button, Group, Text } from '@mantine/core';
import { downloadAuditLog, listAuditLog } from '@moonbase/client/audit-log';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { useHub } from '../session/session.tsx';
import { useEntries } from '../ui/entries.ts';
import { PagedList } from '../ui/lists/paged-list.tsx';
import { Empty, Failure, Loaded } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { completionsOf, useEventTypes } from './audit-terms.ts';
import { Organization, useOrganizationName } from './organization.tsx';

/** The audit log of an organization; the filter is kept in the URL. */
export function AuditLog() {
  const name = useOrganizationName();
  const hub = useHub();
  const [params, setParams] = useSearchParams();
  const q = params.get('q') ?? '';
  const [text, setText] = useState(q);
  const types = useEventTypes();
  const request = { ...hub, name, ...(q !== '' && { q }) };
  const { query, more } = useEntries(['audit-log', name, q], (options) => listAuditLog({ ...request, ...options }));
  const download = useMutation({
    mutationFn: async () => {
      const { fileName = 'audit-log.json', text: stream } = await downloadAuditLog(request);
      save(await new Response(stream).blob(), fileName);
    },
  });
  return (
    <Organization tab="Audit log">
      <Group mb="sm" gap="sm" align="flex-start">
        <form
          className="grows"
          onSubmit={(event) => {
            event.preventDefault();
            setParams(text.trim() === '' ? {} : { q: text.trim() });
          }}
        >
          <Autocomplete
            aria-label="Filter"
            placeholder="author:alice type:repo.* -ip:10.0.0.1"
            filter={({ options }) => options}
            data={completionsOf(text, types)}
            limit={12}
            value={text}
            onChange={setText}
          />
        </form>
        <Button variant="default" loading={download.isPending} onClick={() => download.mutate()}>
          Export
        </Button>
      </Group>
      {download.error && <Failure error={download.error} />}
      <Loaded query={query}>
        {(events) =>
          events.length === 0 ? (
            <Empty title="Nothing matches" />
          ) : (
            <PagedList label="Events" more={more} busy={query.isPlaceholderData}>
              {events.map((event) => (
                <Group key={event._id} component="li" className="row" px="md" py={8} wrap="nowrap" gap="sm">
                  <Avatar src={event.author.avatarUrl} size={26} alt="" />
                  <div className="fills">
                    <Text size="sm" className="breaks">
                      {event.message}
                    </Text>
                    <Text size="xs" c="dimmed" className="breaks">
                      {event.type} by {event.author.user}
                      {event.ip && `, ${event.ip}`}
                      {event.location && `, ${event.location.formatted}`}
                    </Text>
                  </div>
                  <Text size="xs" c="dimmed">
                    <Time at={event.createdAt} />
                  </Text>
                </Group>
              ))}
            </PagedList>
          )
        }
      </Loaded>
    </Organization>
  );
}

function save(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob);
  Object.assign(document.createElement('a'), { href: url, download: fileName }).click();
  // The browser reads the URL of the file only after this turn of the event loop.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
