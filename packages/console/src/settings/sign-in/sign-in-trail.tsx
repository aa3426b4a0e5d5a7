import { Badge, Group, SegmentedControl, Text } from '@mantine/core';
import type { SignInEntry } from '@moonbase/client/sessions';
import type { QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import { oneOf } from '../../ui/chosen.ts';
import { useEntries } from '../../ui/entries.ts';
import { PagedList } from '../../ui/lists/paged-list.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { browserName } from './browser-name.ts';
import { METHODS } from './sessions.tsx';

interface Options {
  readonly outcome?: 'refused';
  readonly pageSize: number;
  readonly signal: AbortSignal;
}

const SHOWN = ['all', 'refused'] as const;

/** The sign-ins of a user, and those that were refused. */
export function SignInTrail(props: {
  readonly queryKey: QueryKey;
  readonly list: (options: Options) => AsyncGenerator<SignInEntry>;
}) {
  const { queryKey, list } = props;
  const [shown, setShown] = useState<(typeof SHOWN)[number]>('all');
  const { query, more } = useEntries([...queryKey, shown], (options) =>
    list({ ...options, ...(shown === 'refused' && { outcome: shown }) }),
  );
  return (
    <>
      <Group mb="sm">
        <SegmentedControl
          aria-label="Result"
          value={shown}
          onChange={(value) => setShown(oneOf(SHOWN, value) ?? 'all')}
          data={[
            { value: 'all', label: 'All' },
            { value: 'refused', label: 'Refused' },
          ]}
        />
      </Group>
      <Loaded query={query}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty title="No sign-ins">
              {shown === 'all'
                ? 'Nobody signed in or tried to in the last 90 days.'
                : 'None was refused in the last 90 days.'}
            </Empty>
          ) : (
            <PagedList label="Sign-ins" more={more} busy={query.isPlaceholderData}>
              {entries.map((entry) => (
                <Entry key={entry.id} entry={entry} />
              ))}
            </PagedList>
          )
        }
      </Loaded>
    </>
  );
}

function Entry({ entry }: { readonly entry: SignInEntry }) {
  const { at, outcome, method, organization, reason, address, userAgent } = entry;
  return (
    <Group component="li" className="row" px="md" py={8} gap="sm">
      <div className="fills">
        <Text size="sm" fw={600} title={userAgent} className="breaks">
          {browserName(userAgent)}
        </Text>
        <Text size="xs" c="dimmed" className="breaks">
          {address}, {METHODS[method]}
          {organization && ` of ${organization}`}
          {reason && `: ${reason}`}
        </Text>
      </div>
      <Text size="xs" c="dimmed">
        <Time at={at} />
      </Text>
      {outcome === 'ok' ? <Badge color="green">signed in</Badge> : <Badge color="red">refused</Badge>}
    </Group>
  );
}
