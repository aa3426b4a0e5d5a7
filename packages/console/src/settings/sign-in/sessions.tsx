import { Badge, Button, Group, Paper, Text, Title } from '@mantine/core';
import type { Session } from '@moonbase/client/sessions';
import { type QueryKey, useQuery } from '@tanstack/react-query';
import { useAct } from '../../ui/act.ts';
import { Refused } from '../../ui/refused.tsx';
import { Empty, Loaded, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { browserName } from './browser-name.ts';

export const SESSIONS = ['sessions'] as const;

/** How a user signed in, in words that follow a verb. */
export const METHODS: Readonly<Record<Session['method'], string>> = {
  password: 'with the password',
  link: 'with a link',
  token: 'with an access token',
  oidc: 'with a provider',
};

/** The browsers with which a user is signed in. */
export function Sessions(props: {
  readonly queryKey: QueryKey;
  readonly list: (signal: AbortSignal) => Promise<readonly Session[]>;
  readonly end: (sessionId: string) => Promise<unknown>;
  /** Ends all sessions except the current one; absent for sessions of another user. */
  readonly endOthers?: () => Promise<unknown>;
  /** The text for an empty list. */
  readonly none: string;
}) {
  const { queryKey, list, end, endOthers, none } = props;
  const query = useQuery({ queryKey, queryFn: ({ signal }) => list(signal) });
  const { act, busy, error } = useAct(queryKey);
  const hasOthers = query.data?.some(({ current }) => !current) ?? false;
  return (
    <Paper withBorder p="md" component="section" aria-label="Sessions">
      <Group justify="space-between" mb="sm">
        <Title order={2}>Sessions</Title>
        {endOthers && hasOthers && (
          <Button size="xs" variant="default" loading={busy} onClick={() => act(endOthers)}>
            Sign out everywhere else
          </Button>
        )}
      </Group>
      <Refused error={error} mt="0" />
      <Loaded query={query} loading={<Loading rows={1} height={60} />}>
        {(sessions) =>
          sessions.length === 0 ? (
            <Empty title="No sessions">{none}</Empty>
          ) : (
            <ul className="plain-list" aria-label="Sessions">
              {sessions.map((session) => (
                <Row key={session.id} session={session} busy={busy} end={() => act(() => end(session.id))} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Paper>
  );
}

function Row(props: { readonly session: Session; readonly busy: boolean; readonly end: () => void }) {
  const { session, busy, end } = props;
  const { current, method, createdAt, seenAt, address, userAgent } = session;
  const browser = browserName(userAgent);
  return (
    <Group component="li" className="row" py={8} px={4}>
      <div className="fills">
        <Text size="sm" fw={600} title={userAgent} className="breaks">
          {browser}
        </Text>
        <Text size="xs" c="dimmed" className="breaks">
          {address}, signed in {METHODS[method]} <Time at={createdAt} />
        </Text>
      </div>
      <Text size="xs" c="dimmed">
        last used <Time at={seenAt} />
      </Text>
      {current ? (
        <Badge>this browser</Badge>
      ) : (
        <Button
          size="compact-sm"
          variant="default"
          loading={busy}
          aria-label={`End the session of ${browser}`}
          onClick={end}
        >
          End
        </Button>
      )}
    </Group>
  );
}
