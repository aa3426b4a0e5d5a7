import { Avatar, Badge, Group, Text } from '@mantine/core';
import { listUsers, type UserEntry } from '@moonbase/client/admin';
import { useHub } from '../session/session.tsx';
import { Time } from '../ui/time.tsx';
import { Administration } from './administration.tsx';
import { SearchedList } from './searched-list.tsx';

/** Everybody on the hub, newest first. */
export function Users() {
  const hub = useHub();
  return (
    <Administration tab="Users">
      <SearchedList
        what="Users"
        placeholder="Search by name or e-mail address"
        list={(asked) => listUsers({ ...hub, ...asked })}
        row={(user) => <Row key={user.id} user={user} />}
      />
    </Administration>
  );
}

function Row({ user }: { readonly user: UserEntry }) {
  const { name, fullname, email, avatarUrl, isAdmin, isPro, scim = [], createdAt, lastUsedAt } = user;
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
    </Group>
  );
}
