import { Badge, Group, Text } from '@mantine/core';
import type { UserEntry } from '@moonbase/client/admin';
import { Time } from '../../ui/time.tsx';

/** The special states of a user, as badges. */
export function UserBadges({ user }: { readonly user: UserEntry }) {
  const { isAdmin, isPro, scim = [], disabled, disabledBy } = user;
  return (
    <Group gap={6}>
      {disabled && (
        <Badge color="red" title={disabledBy === undefined ? undefined : `By ${disabledBy}`}>
          disabled
        </Badge>
      )}
      {isAdmin && <Badge>site administrator</Badge>}
      {isPro && <Badge color="gray">pro</Badge>}
      {scim.map(({ organization, owned, active }) => (
        <Badge
          key={organization}
          color={active ? 'gray' : 'red'}
          tt="none"
          title={owned ? `Its identity provider created this account` : `Its identity provider knows this user`}
        >
          {active ? 'SCIM' : 'Deprovisioned'}: {organization}
        </Badge>
      ))}
    </Group>
  );
}

/** When a user was created, and when a token of the user was last used. */
export function LastActive({ user: { createdAt, lastUsedAt } }: { readonly user: UserEntry }) {
  return (
    <Text size="xs" c="dimmed" ta="right" miw={120}>
      Joined <Time at={createdAt} />
      <br />
      {lastUsedAt === undefined ? (
        'Never active'
      ) : (
        <>
          Last active <Time at={lastUsedAt} />
        </>
      )}
    </Text>
  );
}
