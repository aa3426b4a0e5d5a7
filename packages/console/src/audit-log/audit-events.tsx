import { Autocomplete, Avatar, Button, Group, Text } from '@mantine/core';
import { type AuditEvent, downloadAuditLog, type SiteAuditEvent } from '@moonbase/client/audit-log';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { useHub } from '../session/session.tsx';
import { useEntries } from '../ui/entries.ts';
import { PagedList } from '../ui/lists/paged-list.tsx';
import { saveFile } from '../ui/save-file.ts';
import { Empty, Failure, Loaded } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { completionsOf, useEventTypes } from './audit-terms.ts';

interface Log {
  /** The organization; undefined: the log of the hub. */
  readonly name: string | undefined;
  readonly placeholder: string;
  readonly list: (
    filter: { readonly q?: string },
    options: { readonly pageSize: number },
  ) => AsyncGenerator<AuditEvent | SiteAuditEvent, void, undefined>;
}

/** An audit log with its filter, which is kept in the URL, and its export. */
export function AuditEvents({ name, placeholder, list }: Log) {
  const hub = useHub();
  const [params, setParams] = useSearchParams();
  const q = params.get('q') ?? '';
  const [text, setText] = useState(q);
  const types = useEventTypes(name === undefined ? 'site' : 'organization');
  const filter = q === '' ? {} : { q };
  const { query, more } = useEntries(['audit-log', name, q], (options) => list(filter, options));
  const download = useMutation({
    mutationFn: async () => {
      const { fileName = 'audit-log.json', text: stream } = await downloadAuditLog({ ...hub, name, ...filter });
      saveFile(await new Response(stream).blob(), fileName);
    },
  });
  return (
    <>
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
            placeholder={placeholder}
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
    </>
  );
}
