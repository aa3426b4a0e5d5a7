import { Avatar, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { HubApiError } from '@moonbase/client/errors';
import { getOrganizationOverview, getUserOverview } from '@moonbase/client/profiles';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import { useIsAdmin } from '../organizations/admin.ts';
import { useHub, useMe } from '../session/session.tsx';
import { To } from '../ui/link.tsx';
import { Page } from '../ui/page.tsx';
import { Loaded } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { EditAvatar } from './edit-avatar.tsx';
import { Follow } from './follow.tsx';
import { ReposOf } from './repos-of.tsx';

type Overview = Awaited<ReturnType<typeof getUserOverview>> | Awaited<ReturnType<typeof getOrganizationOverview>>;

/** The public page of a user or an organization. */
export function Account() {
  const { account: name = '' } = useParams();
  const hub = useHub();
  const { data: me } = useMe();
  const query = useQuery({
    queryKey: ['account', name],
    async queryFn({ signal }): Promise<Overview> {
      try {
        return await getUserOverview({ ...hub, username: name, signal });
      } catch (error) {
        if (!(error instanceof HubApiError && error.status === 404)) throw error;
        return getOrganizationOverview({ ...hub, name, signal });
      }
    },
  });
  const { data } = query;
  const isMine = me?.name === name;
  const isAdmin = useIsAdmin(name);
  const isMember = me?.orgs.some((each) => each.name === name) ?? false;
  return (
    <Page
      title={data?.fullname ?? name}
      actions={
        data && (
          <>
            {(isMine || isAdmin) && <EditAvatar type={data.type} name={name} avatarUrl={data.avatarUrl} />}
            {isMine && (
              <Button component={Link} href="/settings" variant="default">
                Settings
              </Button>
            )}
            {isMember && (
              <Button component={Link} href={`/organizations/${encodeURIComponent(name)}`} variant="default">
                Members
              </Button>
            )}
            {!isMine && <Follow type={data.type} name={name} isFollowing={data.isFollowing} />}
          </>
        )
      }
    >
      <Loaded query={query}>
        {(account) => (
          <Stack>
            <About account={account} />
            <ReposOf name={name} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function About({ account }: { readonly account: Overview }) {
  const { avatarUrl, numFollowers } = account;
  const followers = `${numFollowers} ${numFollowers === 1 ? 'follower' : 'followers'}`;
  return (
    <Group align="flex-start" wrap="nowrap">
      <Avatar src={avatarUrl} size={64} radius="md" alt="" />
      <Stack gap={4} className="fills">
        {account.type === 'user' ? (
          <>
            <Text size="sm" c="dimmed">
              {account.user}, {followers}, joined <Time at={account.createdAt} />
            </Text>
            {account.orgs.length > 0 && (
              <Group component="ul" className="plain-list" aria-label="Organizations" gap="xs">
                {account.orgs.map(({ name, fullname }) => (
                  <li key={name}>
                    <To href={`/${encodeURIComponent(name)}`} size="sm" underline="always">
                      {fullname}
                    </To>
                  </li>
                ))}
              </Group>
            )}
          </>
        ) : (
          <>
            <Text size="sm" c="dimmed">
              {account.name}, {account.numUsers} {account.numUsers === 1 ? 'member' : 'members'}, {followers}
            </Text>
            {account.details !== undefined && <Text className="breaks keeps-lines">{account.details}</Text>}
            <Group>
              <Badge color="gray">organization</Badge>
            </Group>
          </>
        )}
      </Stack>
    </Group>
  );
}
