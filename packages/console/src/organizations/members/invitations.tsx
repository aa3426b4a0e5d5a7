import { Badge, Group, Paper, Text, Title } from '@mantine/core';
import { deleteInvitation, listInvitations } from '@moonbase/client/invitations';
import { useHub } from '../../session/session.tsx';
import { AskedButton } from '../../ui/asking/asked-button.tsx';
import { useEntries } from '../../ui/entries.ts';
import { More } from '../../ui/more.tsx';
import { Failure } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { useOrganizationName } from '../organization.tsx';

/** The open invitations of an organization; renders nothing without any. */
export function Invitations() {
  const name = useOrganizationName();
  const hub = useHub();
  const { query, more } = useEntries(['invitations', name], (options) => listInvitations({ ...hub, name, ...options }));
  if (query.error) return <Failure error={query.error} retry={query.refetch} />;
  if (!query.data || query.data.length === 0) return null;
  return (
    <Paper withBorder mt="md">
      <Title order={2} px="md" pt="md">
        Invitations
      </Title>
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
            <AskedButton
              label="Withdraw"
              name={`Withdraw the invitation of ${user ?? email}`}
              question={`Withdraw the invitation of ${user ?? email}?`}
              does={() => deleteInvitation({ ...hub, name, invitationId: id })}
              changes={[['invitations', name]]}
            >
              It can no longer be accepted; a link that was sent stops working.
            </AskedButton>
          </Group>
        ))}
      </ul>
      <More more={more} busy={query.isPlaceholderData} />
    </Paper>
  );
}
