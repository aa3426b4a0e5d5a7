import { Avatar, Badge, Group, Text } from '@mantine/core';
import { listUsers, type UserEntry } from '@moonbase/client/admin';
import { useHub, useMe } from '../session/session.tsx';
import { Time } from '../ui/time.tsx';
import { Administration } from './administration.tsx';
import { SearchedList } from './searched-list.tsx';
import { UserActions } from './user-actions.tsx';

/** Everybody on the hub, newest first. */
export function Users() {
  const hub = useHub();
  const { data: me } = useMe();
  return (
    <Administration tab="Users">
      <SearchedList
        what="Users"
        placeholder="Search by name or e-mail address"
        list={(asked) => listUsers({ ...hub, ...asked })}
        row={(user) => <Row key={user.id} user={user} isMe={user.name === me?.name} />}
      />
    </Administration>
  );
}

function Row({ user, isMe }: { readonly user: UserEntry; readonly isMe: boolean }) {
  const { name, fullname, email, avatarUrl, isAdmin, isPro, scim = [], createdAt, lastUsedAt } = user;
  const { disabled, disabledBy } = user;
  return (
    <Group component="li" className="row" px="md" py="sm">
      <Avatar src={avatarUrl} size={34} alt="" />
      <div className="fills">
        <Text size="sm" fw={600} className="breaks">
          {name}
        </Text>
        <Text size="xs" c="dimmed" className="breaks">
          {fullname}
          {email !== undefined && `, ${email}`}
        </Text>
      </div>
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
            title={owned ? `Its identity provider made this account` : `Its identity provider knows this user`}
          >
            {active ? 'SCIM' : 'SCIM, put out'}: {organization}
          </Badge>
        ))}
      </Group>
      <Text size="xs" c="dimmed" ta="right" miw={120}>
        since <Time at={createdAt} />
        <br />
        {lastUsedAt === undefined ? (
          'never used'
        ) : (
          <>
            used <Time at={lastUsedAt} />
          </>
        )}
      </Text>
      <UserActions user={user} isMe={isMe} />
    </Group>
  );
}
