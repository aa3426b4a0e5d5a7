import { Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { deleteScimLink, listScimLinks, updateScimLink } from '@moonbase/client/scim-links';
import { listProvisionedUsers } from '@moonbase/client/scim-provisioning';
import { useQuery } from '@tanstack/react-query';
import { useHub } from '../session/session.tsx';
import { useAct } from '../ui/act.ts';
import { AskedButton } from '../ui/asking/asked-button.tsx';
import { useChosen } from '../ui/chosen.ts';
import { useEntries } from '../ui/entries.ts';
import { More } from '../ui/more.tsx';
import { Refused } from '../ui/refused.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { RoleSelect } from './members/role-select.tsx';
import { NewScimLink } from './new-scim-link.tsx';
import { Organization, useOrganizationName } from './organization.tsx';

/** The SCIM endpoint of an organization, and the mappings of groups to roles. */
export function Scim() {
  const name = useOrganizationName();
  const hub = useHub();
  const { query, more } = useEntries(['scim-links', name], (options) => listScimLinks({ ...hub, name, ...options }));
  const users = useQuery({
    queryKey: ['scim-users', name],
    queryFn: ({ signal }) => listProvisionedUsers({ ...hub, name, count: 1, signal }),
  });
  const changes = [
    ['scim-links', name],
    ['resource-groups', name],
    ['members', name],
  ];
  const { act, error } = useAct(...changes);
  const { chosen, choose, forget } = useChosen<Record<string, string>>();
  return (
    <Organization tab="SCIM">
      <Loaded query={query}>
        {(links) => (
          <Stack>
            <Paper withBorder p="md">
              <Title order={2} mb="xs">
                SCIM endpoint
              </Title>
              <Text size="sm" className="breaks">
                Give your identity provider <Code>{`${hub.hubUrl}/api/organizations/${name}/scim/v2`}</Code> and an
                access token of an admin. {users.data && `${users.data.totalResults} users provisioned.`}
              </Text>
            </Paper>
            <Paper withBorder p="md">
              <Title order={2} mb="xs">
                Group mappings
              </Title>
              <NewScimLink />
              <Refused error={error} />
              {links.length === 0 && <Empty title="No mappings">A mapping gives the members of a group a role.</Empty>}
              <ul className="plain-list" aria-label="Links">
                {links.map(({ id, group, resourceGroup, role }) => (
                  <Group key={id} component="li" className="row" py={8} px={4}>
                    <Text size="sm" className="fills breaks">
                      {group.displayName} in {resourceGroup?.name ?? 'the organization'}
                    </Text>
                    <RoleSelect
                      label={`Role by ${group.displayName}`}
                      value={chosen[id] ?? role}
                      choose={(given) => {
                        choose({ [id]: given });
                        act(() => updateScimLink({ ...hub, name, linkId: id, role: given }), undefined, forget);
                      }}
                    />
                    <AskedButton
                      label="Remove"
                      name={`Remove the mapping of ${group.displayName}`}
                      question={`Remove the mapping of ${group.displayName}?`}
                      does={() => deleteScimLink({ ...hub, name, linkId: id })}
                      changes={changes}
                    >
                      Its members lose the role that it gives in {resourceGroup?.name ?? name}.
                    </AskedButton>
                  </Group>
                ))}
              </ul>
              <More more={more} busy={query.isPlaceholderData} />
            </Paper>
          </Stack>
        )}
      </Loaded>
    </Organization>
  );
}
