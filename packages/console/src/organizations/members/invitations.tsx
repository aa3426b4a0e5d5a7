import { Badge, Button, Group, Paper, Text, Title } from '@mantine/core';
import { deleteInvitation, listInvitations } from '@moonbase/client/invitations';
import { useHub } from '../../session/session.tsx';
import { useAct } from '../../ui/act.ts';
import { useEntries } from '../../ui/entries.ts';
import { More } from '../../ui/more.tsx';
import { Refused } from '../../ui/refused.tsx';
import { Failure } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { useOrganizationName } from '../organization.tsx';

/** The open invitations of an organization; renders nothing without any. */
export function Invitations() {
  const name = useOrganizationName();
  const hub = useHub();
  const { query, more } = useEntries(['invitations', name], (options) => listInvitations({ ...hub, name, ...options }));
  const { act, error } = useAct(['invitations', name]);
  if (query.error) return <Failure error={query.error} retry={query.refetch} />;
  if (!query.data || query.data.length === 0) return <Refused error={error} />;
  return (
    <Paper withBorder mt="md">
      <Title order={2} px="md" pt="md">
        Invitations
      </Title>
      <Refused error={error} />
      <ul className="plain-list" aria-label="Invitations">
        {query.data.map(({ id, user, email, role, invitedBy, createdAt }) => (
          <Group key={id} component="li" className="row" px="md" py="sm">
            <Text size="sm" className="fills breaks">
              {user ?? email}
            </Text>
            <Text size="xs" c="dimmed" className="breaks">
              <Time at={createdAt} />
              {invitedBy && ` by ${invitedBy}`}
            </Text>
            <Badge>{role}</Badge>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Withdraw the invitation of ${user ?? email}`}
              onClick={() => act(() => deleteInvitation({ ...hub, name, invitationId: id }))}
            >
              Withdraw
            </Button>
          </Group>
        ))}
      </ul>
      <More more={more} busy={query.isPlaceholderData} />
    </Paper>
  );
}
