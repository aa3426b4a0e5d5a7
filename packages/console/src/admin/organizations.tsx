import { Avatar, Badge, Group, Text } from '@mantine/core';
import { listOrganizations, type OrganizationEntry } from '@moonbase/client/admin';
import { useHub } from '../session/session.tsx';
import { To } from '../ui/link.tsx';
import { Time } from '../ui/time.tsx';
import { Administration } from './administration.tsx';
import { SearchedList } from './searched-list.tsx';

/** The maximum that the hub counts. */
const MAX_COUNTED = 10_000;

/** All organizations of the hub, including deleted ones, newest first. */
export function AllOrganizations() {
  const hub = useHub();
  return (
    <Administration tab="All organizations">
      <SearchedList
        what="Organizations"
        placeholder="Search by name"
        list={(asked) => listOrganizations({ ...hub, ...asked })}
        row={(organization) => <Row key={organization.id} organization={organization} />}
      />
    </Administration>
  );
}

const counted = (count: number, one: string, many: string): string =>
  `${count >= MAX_COUNTED ? '10,000 or more' : count} ${count === 1 ? one : many}`;

function Row({ organization }: { readonly organization: OrganizationEntry }) {
  const { name, fullname, avatarUrl, plan, numMembers, numRepos, createdAt, deletedAt } = organization;
  return (
    <Group component="li" className="row" px="md" py="sm">
      <Avatar src={avatarUrl} size={34} radius="md" alt="" />
      <div className="fills">
        {deletedAt === undefined ? (
          <To href={`/admin/organizations/${encodeURIComponent(name)}`} size="sm" fw={600} className="row-title">
            {fullname}
          </To>
        ) : (
          // A deleted organization has no page until it is restored.
          <Text size="sm" fw={600} className="breaks">
            {fullname}
          </Text>
        )}
        <Text size="xs" c="dimmed" className="breaks">
          {name}, {counted(numMembers, 'member', 'members')}, {counted(numRepos, 'repository', 'repositories')}
        </Text>
      </div>
      {deletedAt !== undefined && (
        <Badge color="red" tt="none">
          deleted <Time at={deletedAt} />
        </Badge>
      )}
      <Badge color="gray">{plan}</Badge>
      <Text size="xs" c="dimmed" ta="right" miw={100}>
        since <Time at={createdAt} />
      </Text>
    </Group>
  );
}
