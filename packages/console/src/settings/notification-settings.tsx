import { Paper, Switch, Table, Text } from '@mantine/core';
import { getNotificationSettings, type NotificationKey, updateNotificationSettings } from '@moonbase/client/settings';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useHub } from '../session/session.tsx';
import { useChosen } from '../ui/chosen.ts';
import { Failure, Loaded } from '../ui/states.tsx';
import { Settings } from './settings.tsx';

interface Kind {
  readonly name: string;
  readonly what: string;
  readonly mail: NotificationKey;
  readonly web?: NotificationKey;
}

const KINDS: readonly Kind[] = [
  {
    name: 'Discussions you take part in',
    what: 'Mentions, and discussions you wrote in.',
    mail: 'discussions_participating',
    web: 'web_discussions_participating',
  },
  {
    name: 'Discussions you watch',
    what: 'Of repositories, users and organizations on your list.',
    mail: 'discussions_watched',
    web: 'web_discussions_watched',
  },
  {
    name: 'Posts, articles and papers',
    what: 'Mentions, replies, and what you take part in.',
    mail: 'posts_participating',
    web: 'web_posts_participating',
  },
  { name: 'Your papers', what: 'News of them and of your claims.', mail: 'arxiv_paper_activity' },
  {
    name: 'Gated repositories',
    what: 'Requests for access to yours, and decisions about your requests.',
    mail: 'gated_user_access_request',
  },
];

const KEY = ['settings', 'notifications'];
type Answer = Awaited<ReturnType<typeof getNotificationSettings>>;

export function NotificationSettings() {
  const hub = useHub();
  const queries = useQueryClient();
  const query = useQuery({ queryKey: KEY, queryFn: ({ signal }) => getNotificationSettings({ ...hub, signal }) });
  const change = useMutation({
    mutationFn: (notifications: Partial<Record<NotificationKey, boolean>>) =>
      updateNotificationSettings({ ...hub, notifications }),
    // Requests run one after the other, so that the last choice wins.
    scope: { id: 'notification settings' },
    onSuccess: (_answer, changed) =>
      queries.setQueryData<Answer>(
        KEY,
        (before) => before && { ...before, notifications: { ...before.notifications, ...changed } },
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
  const { chosen, choose, forget } = useChosen<Record<NotificationKey, boolean>>();
  const turn = (key: NotificationKey, on: boolean) => {
    choose({ [key]: on });
    change.mutate({ [key]: on }, { onSettled: forget });
  };
  return (
    <Settings tab="Notification settings">
      {change.error && <Failure error={change.error} />}
      <Loaded query={query}>
        {({ notifications }) => (
          <Paper withBorder p="xs">
            <Table verticalSpacing="sm">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th scope="col">Notify me about</Table.Th>
                  <Table.Th scope="col" w={72}>
                    Email
                  </Table.Th>
                  <Table.Th scope="col" w={72}>
                    Web
                  </Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {KINDS.map(({ name, what, mail, web }) => (
                  <Table.Tr key={mail}>
                    <Table.Th scope="row" fw={500}>
                      {name}
                      <Text size="xs" c="dimmed" fw={400}>
                        {what}
                      </Text>
                    </Table.Th>
                    {[mail, web].map((key, at) => (
                      <Table.Td key={key ?? 'none'}>
                        {key && (
                          <Switch
                            aria-label={`${name}, ${at === 0 ? 'email' : 'web'}`}
                            checked={chosen[key] ?? notifications[key]}
                            onChange={(event) => turn(key, event.currentTarget.checked)}
                          />
                        )}
                      </Table.Td>
                    ))}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Paper>
        )}
      </Loaded>
    </Settings>
  );
}
