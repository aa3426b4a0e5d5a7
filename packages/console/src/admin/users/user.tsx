import { Avatar, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { deleteUserToken, listUserTokens } from '@moonbase/client/access-tokens';
import { getUserEntry, type UserEntry } from '@moonbase/client/admin';
import { endUserGrant, listUserGrants } from '@moonbase/client/applications';
import { endUserSession, listSignIns, listUserSessions } from '@moonbase/client/sessions';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useParams } from 'wouter';
import { DownloadData } from '../../personal-data/download-data.tsx';
import { useHub, useMe } from '../../session/session.tsx';
import { Grants } from '../../settings/applications/grants.tsx';
import { SESSIONS, Sessions } from '../../settings/sign-in/sessions.tsx';
import { SignInTrail } from '../../settings/sign-in/sign-in-trail.tsx';
import { TokenList } from '../../settings/tokens/token-list.tsx';
import { AccountQuota } from '../../storage/account-quota.tsx';
import { Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Trail } from '../../ui/trail.tsx';
import { UserSecondFactor } from './second-factor.tsx';
import { SignInActions } from './sign-in-actions.tsx';
import { UserActions } from './user-actions.tsx';
import { LastActive, UserBadges } from './user-badges.tsx';

/** A user as site administrators see them: ways to sign in, and access tokens. */
export function User() {
  const { name = '' } = useParams();
  const hub = useHub();
  const { data: me } = useMe();
  const [, navigate] = useLocation();
  const query = useQuery({
    queryKey: ['admin', 'Users', 'one', name],
    queryFn: ({ signal }) => getUserEntry({ ...hub, username: name, signal }),
  });
  return (
    <Page
      title={name}
      above={
        <Trail
          above={[
            { href: '/admin', name: 'Administration' },
            { href: '/admin/users', name: 'Users' },
          ]}
        >
          {name}
        </Trail>
      }
      actions={
        query.data && (
          <UserActions
            user={query.data}
            isMe={query.data.name === me?.name}
            onDeleted={() => navigate('/admin/users', { replace: true })}
          />
        )
      }
    >
      <Loaded query={query}>
        {(user) => (
          <Stack>
            <About user={user} />
            <SignInActions user={user} />
            <UserSecondFactor user={user} />
            <AccountQuota kind="user" key={user.id} name={user.name} />
            <Sessions
              queryKey={[...SESSIONS, user.id]}
              list={(signal) => listUserSessions({ ...hub, username: user.name, signal })}
              end={(sessionId) => endUserSession({ ...hub, username: user.name, sessionId })}
              none={`No browser is signed in as ${user.name}.`}
            />
            <section aria-label="Access tokens">
              <Title order={2} mb="xs">
                Access tokens
              </Title>
              <TokenList
                queryKey={['admin', 'tokens', user.id]}
                list={(options) => listUserTokens({ ...hub, username: user.name, ...options })}
                remove={(deletion) => deleteUserToken({ ...hub, username: user.name, ...deletion })}
                none={`${user.name} has no access tokens.`}
              />
            </section>
            <Grants
              title="Applications"
              none={`No application acts for ${user.name}`}
              queryKey={['admin', 'grants', user.id]}
              list={(signal) => listUserGrants({ ...hub, username: user.name, signal })}
              end={(grantId) => endUserGrant({ ...hub, username: user.name, grantId })}
            />
            <section aria-label="Sign-ins">
              <Title order={2} mb="xs">
                Sign-ins
              </Title>
              <SignInTrail
                queryKey={['admin', 'sign-ins', user.id]}
                list={(options) => listSignIns({ ...hub, user: user.name, ...options })}
              />
            </section>
            <DownloadData of={user} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function About({ user }: { readonly user: UserEntry }) {
  const { fullname, email, avatarUrl } = user;
  return (
    <Paper withBorder p="md">
      <Group>
        <Avatar src={avatarUrl} size={44} alt="" />
        <div className="fills">
          <Text size="sm" fw={600} className="breaks">
            {fullname}
          </Text>
          <Text size="sm" c="dimmed" className="breaks">
            {email ?? 'No confirmed e-mail address'}
          </Text>
        </div>
        <UserBadges user={user} />
        <LastActive user={user} />
      </Group>
    </Paper>
  );
}
