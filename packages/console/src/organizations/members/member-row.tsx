import { Avatar, Badge, Button, Group, Table, Text } from '@mantine/core';
import type { OrganizationMember } from '@moonbase/client/members';
import { To } from '../../ui/link.tsx';
import { RoleSelect } from './role-select.tsx';

/** A member. Admins can change the role and remove the member; members can leave. */
export function MemberRow(props: {
  readonly member: OrganizationMember;
  readonly role: string | undefined;
  readonly isAdmin: boolean;
  readonly isMe: boolean;
  readonly setRole: (role: string) => void;
  readonly remove: () => void;
}) {
  const { member, role, isAdmin, isMe, setRole, remove } = props;
  const { user, fullname, avatarUrl, resourceGroups = [] } = member;
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="sm" wrap="nowrap">
          <Avatar src={avatarUrl} size={34} alt="" />
          <div>
            <To href={`/${encodeURIComponent(user)}`} size="sm" fw={600} className="breaks">
              {user}
            </To>
            <Text size="xs" c="dimmed" className="breaks">
              {fullname}
            </Text>
          </div>
        </Group>
      </Table.Td>
      <Table.Td>
        <Group gap={4}>
          {resourceGroups.map((group) => (
            <Badge key={group.id} color="gray">
              {group.name}: {group.role}
            </Badge>
          ))}
        </Group>
      </Table.Td>
      <Table.Td>
        {isAdmin ? (
          <RoleSelect label={`Role of ${user}`} value={role ?? null} choose={setRole} />
        ) : (
          role && <Badge>{role}</Badge>
        )}
      </Table.Td>
      <Table.Td>
        {isMe ? (
          <Button variant="default" onClick={remove}>
            Leave
          </Button>
        ) : (
          isAdmin && (
            <Button variant="default" aria-label={`Remove ${user}`} onClick={remove}>
              Remove
            </Button>
          )
        )}
      </Table.Td>
    </Table.Tr>
  );
}
