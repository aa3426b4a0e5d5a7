import { Button, Group, Paper, Text, Title } from '@mantine/core';
import { listUsers } from '@moonbase/client/admin';
import { listOrganizationRepos, listRepos } from '@moonbase/client/repositories';
import { listWebhooks } from '@moonbase/client/webhooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useHub, useMe } from '../session/session.tsx';
import { To } from '../ui/link.tsx';

/** Where this browser keeps that a user has dismissed the list. */
const keyOf = (userId: string) => `moonbase.first-steps.${userId}`;

/** What a new administrator does first; gone once all of it is done, or dismissed. */
export function FirstSteps() {
  const { data: me } = useMe();
  return me?.isAdmin ? <Steps userId={me.id} organizations={me.orgs.map(({ name }) => name)} /> : null;
}

function Steps({ userId, organizations }: { readonly userId: string; readonly organizations: readonly string[] }) {
  const hub = useHub();
  const [dismissed, setDismissed] = useState(() => localStorage.getItem(keyOf(userId)) !== null);
  const { data: done } = useQuery({
    queryKey: ['first-steps'],
    queryFn: async ({ signal }) => ({
      repository: await hasRepository({ ...hub, pageSize: 10, signal }, organizations),
      webhook: (await listWebhooks({ ...hub, signal })).length > 0,
      people: await hasMore(1, listUsers({ ...hub, pageSize: 10, signal })),
    }),
    enabled: !dismissed,
    staleTime: 0,
  });
  if (dismissed || !done) return null;
  const steps = [
    { name: 'Create an organization', href: '/organizations/new', isDone: organizations.length > 0 },
    { name: 'Create a repository', href: '/new', isDone: done.repository },
    { name: 'Create a webhook', href: '/webhooks/new', isDone: done.webhook },
    { name: 'Invite people', href: '/admin/users', isDone: done.people },
  ];
  if (steps.every(({ isDone }) => isDone)) return null;
  const dismiss = () => {
    localStorage.setItem(keyOf(userId), 'dismissed');
    setDismissed(true);
  };
  return (
    <Paper withBorder p="md" mb="md" component="section" aria-label="First steps">
      <Group justify="space-between">
        <Title order={2}>First steps</Title>
        <Button size="compact-sm" variant="default" onClick={dismiss}>
          Dismiss
        </Button>
      </Group>
      <ol className="plain-list">
        {steps.map(({ name, href, isDone }) => (
          <Group component="li" key={href} gap="sm" mt="xs">
            <Text size="sm" w={44} c={isDone ? 'var(--open)' : 'dimmed'}>
              {isDone ? 'Done' : 'To do'}
            </Text>
            <To size="sm" href={href}>
              {name}
            </To>
          </Group>
        ))}
      </ol>
    </Paper>
  );
}

/** Returns whether the user or one of the user's organizations has a repository. */
async function hasRepository(request: Parameters<typeof listRepos>[0], organizations: readonly string[]) {
  if (await hasMore(0, listRepos(request))) return true;
  for (const organization of organizations)
    if (await hasMore(0, listOrganizationRepos({ ...request, organization }))) return true;
  return false;
}

/** Returns whether a list has more entries than a number. */
async function hasMore(than: number, entries: AsyncIterable<unknown>): Promise<boolean> {
  let count = 0;
  for await (const _ of entries) {
    count += 1;
    if (count > than) return true;
  }
  return false;
}
