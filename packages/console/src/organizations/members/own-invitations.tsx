import { Badge, Button, Group, Paper, Text, Title } from '@mantine/core';
import { acceptInvitation, listOwnInvitations } from '@moonbase/client/invitations';
import { useHub } from '../../session/session.tsx';
import { useAct } from '../../ui/act.ts';
import { useEntries } from '../../ui/entries.ts';
import { More } from '../../ui/more.tsx';
import { Refused } from '../../ui/refused.tsx';
import { Time } from '../../ui/time.tsx';

/** The invitations of the user; renders nothing if there are none or the token may not read them. */
export function OwnInvitations() {
  const hub = useHub();
  const { query, more } = useEntries(['own-invitations'], (options) => listOwnInvitations({ ...hub, ...options }));
  const { act, busy, error } = useAct(['own-invitations'], ['me']);
  if (!query.data || (query.data.length === 0 && !error)) return null;
  return (
    <Paper withBorder mb="md" component="section" aria-label="Invitations">
      <Title order={2} px="md" pt="md">
        Invitations
      </Title>
      <Refused error={error} />
      <ul className="plain-list">
        {query.data.map(({ id, organization, role, invitedBy, createdAt }) => (
          <Group key={id} component="li" className="row" px="md" py="sm">
            <div className="fills">
              <Text size="sm" fw={600} className="breaks">
                {organization.fullname}
              </Text>
              <Text size="xs" c="dimmed" className="breaks">
                {organization.name}, <Time at={createdAt} />
                {invitedBy && ` by ${invitedBy}`}
              </Text>
            </div>
            <Badge>{role}</Badge>
            <Button
              size="compact-sm"
              aria-label={`Join ${organization.name}`}
              loading={busy}
              onClick={() => act(() => acceptInvitation({ ...hub, invitationId: id }))}
            >
              Join
            </Button>
          </Group>
        ))}
      </ul>
      <More more={more} busy={query.isPlaceholderData} />
    </Paper>
  );
}
