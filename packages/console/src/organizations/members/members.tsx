import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { changeMemberRole, listMembers, type OrganizationMember, removeMember } from '@moonbase/client/members';
import { useState } from 'react';
import { useHub, useMe } from '../../session/session.tsx';
import { useAct } from '../../ui/act.ts';
import { Confirm } from '../../ui/asking/confirm.tsx';
import { useChosen } from '../../ui/chosen.ts';
import { useEntries } from '../../ui/entries.ts';
import { DataTable } from '../../ui/lists/data-table.tsx';
import { More } from '../../ui/more.tsx';
import { Refused } from '../../ui/refused.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { useIsAdmin } from '../admin.ts';
import { Organization, useOrganizationName } from '../organization.tsx';
import { Invitations } from './invitations.tsx';
import { MemberRow } from './member-row.tsx';
import { NewMember } from './new-member.tsx';

/** The members of an organization, with their roles and resource groups. */
export function Members() {
  const name = useOrganizationName();
  const hub = useHub();
  const { data: me } = useMe();
  const isAdmin = useIsAdmin(name);
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text.trim(), 250);
  const [leaving, setLeaving] = useState<OrganizationMember>();
  const { chosen, choose, forget } = useChosen<Record<string, string>>();
  const { query, more } = useEntries(['members', name, search], (options) =>
    listMembers({ ...hub, name, ...options, ...(search !== '' && { search }) }),
  );
  const change = useAct(['members', name], ['roles', name]);
  const remove = useAct(['members', name], ['roles', name], ['me']);
  const isMe = leaving?.user === me?.name;

  const setRole = ({ user, resourceGroups = [] }: OrganizationMember, role: string) => {
    choose({ [user]: role });
    // The hub removes the member from every group that the request omits.
    const groups = resourceGroups.map(({ id, role: groupRole }) => ({ id, role: groupRole }));
    const call = { ...hub, name, username: user, role, resourceGroups: groups };
    change.act(() => changeMemberRole(call), undefined, forget);
  };

  return (
    <Organization tab="Members">
      {isAdmin && <NewMember />}
      <TextInput
        mb="sm"
        aria-label="Search members"
        placeholder="Search by name"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Refused error={change.error} />
      <Loaded query={query}>
        {(members) =>
          members.length === 0 ? (
            <Empty title="Nobody like that" />
          ) : (
            <DataTable
              label="Members"
              columns={['Member', 'Resource groups', 'Role', 'Actions']}
              busy={query.isPlaceholderData}
              below={<More more={more} busy={query.isPlaceholderData} />}
            >
              {members.map((member) => (
                <MemberRow
                  key={member._id}
                  member={member}
                  role={chosen[member.user] ?? member.role}
                  isAdmin={isAdmin}
                  isMe={member.user === me?.name}
                  setRole={(role) => setRole(member, role)}
                  remove={() => setLeaving(member)}
                />
              ))}
            </DataTable>
          )
        }
      </Loaded>
      {isAdmin && <Invitations />}
      <Confirm
        opened={leaving !== undefined}
        title={isMe ? `Leave ${name}?` : `Remove ${leaving?.user}?`}
        action={isMe ? 'Leave' : 'Remove'}
        busy={remove.busy}
        error={remove.error}
        close={() => {
          setLeaving(undefined);
          remove.reset();
        }}
        confirm={() =>
          leaving &&
          remove.act(
            () => removeMember({ ...hub, name, username: leaving.user }),
            () => setLeaving(undefined),
          )
        }
      >
        {isMe ? 'You lose' : `${leaving?.user} loses`} what {name} gives, resource groups included.
      </Confirm>
    </Organization>
  );
}
