import { Avatar, Badge, Button, Group, Paper, Select, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { changeMemberRole, listMembers, type OrganizationMember, removeMember } from '@moonbase/client/members';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useHub, useMe } from '../session/session.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { useEntries } from '../ui/entries.ts';
import { More } from '../ui/more.tsx';
import { Empty, Failure, Loaded } from '../ui/states.tsx';
import { Organization, useOrganizationName } from './organization.tsx';
import { ROLES } from './roles.ts';

/** Who is in an organization, with which role and in which resource groups. */
export function Members() {
  const name = useOrganizationName();
  const hub = useHub();
  const { data: me } = useMe();
  const queries = useQueryClient();
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text.trim(), 250);
  const [leaving, setLeaving] = useState<OrganizationMember>();
  const { query, more } = useEntries(['members', name, search], (options) =>
    listMembers({ ...hub, name, ...options, ...(search !== '' && { search }) }),
  );
  const isAdmin = me?.orgs.some((org) => org.name === name && org.roleInOrg === 'admin') ?? false;
  const changed = () => queries.invalidateQueries({ queryKey: ['members', name] });
  const change = useMutation({
    mutationFn: ({ user, role, resourceGroups = [] }: OrganizationMember) =>
      changeMemberRole({
        ...{ ...hub, name, username: user, role: role ?? 'read' },
        // What is not sent is taken away.
        resourceGroups: resourceGroups.map(({ id, role: groupRole }) => ({ id, role: groupRole })),
      }),
    onSettled: changed,
  });
  const remove = useMutation({
    mutationFn: (username: string) => removeMember({ ...hub, name, username }),
    onSuccess: async () => {
      setLeaving(undefined);
      await changed();
    },
  });
  return (
    <Organization tab="Members">
      <TextInput
        mb="sm"
        aria-label="Search members"
        placeholder="Search by name"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {change.error && <Failure error={change.error} />}
      <Loaded query={query}>
        {(members) =>
          members.length === 0 ? (
            <Empty title="Nobody like that" />
          ) : (
            <Paper withBorder aria-busy={query.isPlaceholderData}>
              <ul className="plain-list" aria-label="Members">
                {members.map((member) => (
                  <Row
                    key={member._id}
                    member={member}
                    isAdmin={isAdmin}
                    setRole={(role) => change.mutate({ ...member, role })}
                    remove={() => setLeaving(member)}
                  />
                ))}
              </ul>
              <More more={more} busy={query.isPlaceholderData} />
            </Paper>
          )
        }
      </Loaded>
      <Confirm
        opened={leaving !== undefined}
        title={`Remove ${leaving?.user}?`}
        action="Remove"
        busy={remove.isPending}
        error={remove.error}
        close={() => setLeaving(undefined)}
        confirm={() => leaving && remove.mutate(leaving.user)}
      >
        {leaving?.user} loses what {name} gives, resource groups included.
      </Confirm>
    </Organization>
  );
}

function Row(props: {
  readonly member: OrganizationMember;
  readonly isAdmin: boolean;
  readonly setRole: (role: string) => void;
  readonly remove: () => void;
}) {
  const { member, isAdmin, setRole, remove } = props;
  const { user, fullname, avatarUrl, role, resourceGroups = [] } = member;
  const roles = role === undefined || ROLES.includes(role) ? ROLES : [role, ...ROLES];
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
      {isAdmin ? (
        <Group gap="xs" wrap="nowrap">
          <Select
            aria-label={`Role of ${user}`}
            w={140}
            allowDeselect={false}
            data={roles}
            value={role ?? null}
            onChange={(chosen) => chosen && setRole(chosen)}
          />
          <Button variant="default" aria-label={`Remove ${user}`} onClick={remove}>
            Remove
          </Button>
        </Group>
      ) : (
        role && <Badge>{role}</Badge>
      )}
    </Group>
  );
}
