import { Avatar, Group, Text } from '@mantine/core';
import { listUsers, type UserEntry } from '@moonbase/client/admin';
import { useHub, useMe } from '../../session/session.tsx';
import { To } from '../../ui/link.tsx';
import { Administration } from '../administration.tsx';
import { SearchedList } from '../searched-list.tsx';
import { NewUser } from './new-user.tsx';
import { UserActions } from './user-actions.tsx';
import { LastActive, UserBadges } from './user-badges.tsx';

/** All users of the hub, newest first. */
export function Users() {
  const hub = useHub();
  const { data: me } = useMe();
  return (
    <Administration tab="Users">
      {me?.isAdmin && (
        <Group justify="flex-end" mb="sm">
          <NewUser />
        </Group>
      )}
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
  const { name, fullname, email, avatarUrl } = user;
  return (
    <Group component="li" className="row" px="md" py="sm">
      <Avatar src={avatarUrl} size={34} alt="" />
      <div className="fills">
        <To href={`/admin/users/${encodeURIComponent(name)}`} size="sm" fw={600} className="row-title">
          {name}
        </To>
        <Text size="xs" c="dimmed" className="breaks">
          {fullname}
          {email !== undefined && `, ${email}`}
        </Text>
      </div>
      <UserBadges user={user} />
      <LastActive user={user} />
      <UserActions user={user} isMe={isMe} />
    </Group>
  );
}
