import { Avatar, Badge, Button, Group, Text } from '@mantine/core';
import type { OrganizationMember } from '@moonbase/client/members';
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
    <Group component="li" className="row" px="md" py="sm">
      <Avatar src={avatarUrl} size={34} alt="" />
      <div className="fills">
        <Text size="sm" fw={600} className="breaks">
          {user}
        </Text>
        <Text size="xs" c="dimmed" className="breaks">
          {fullname}
        </Text>
      </div>
      {resourceGroups.map((group) => (
        <Badge key={group.id} color="gray">
          {group.name}: {group.role}
        </Badge>
      ))}
      {!isAdmin && role && <Badge>{role}</Badge>}
      <Group gap="xs" wrap="nowrap">
        {isAdmin && <RoleSelect label={`Role of ${user}`} value={role ?? null} choose={setRole} />}
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
      </Group>
    </Group>
  );
}
