import { Avatar, Badge, Button, Group, Paper, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useMe } from '../session/session.tsx';
import { To } from '../ui/link.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { MailedInvitation } from './members/mailed-invitation.tsx';
import { OwnInvitations } from './members/own-invitations.tsx';

/** The organizations of the user. */
export function Organizations() {
  const query = useMe();
  return (
    <Page
      title="Organizations"
      actions={
        <Button component={Link} href="/organizations/new">
          New organization
        </Button>
      }
    >
      <MailedInvitation />
      <OwnInvitations />
      <Loaded query={query}>
        {({ orgs }) =>
          orgs.length === 0 ? (
            <Empty title="No organizations">
              You are not in any organization yet. Create one, or ask an admin of one to invite you.
            </Empty>
          ) : (
            <Paper withBorder>
              <ul className="plain-list" aria-label="Organizations">
                {orgs.map(({ id, name, fullname, avatarUrl, plan, roleInOrg, securityRestrictions }) => (
                  <Group key={id} component="li" className="row" px="md" py="sm" wrap="nowrap">
                    <Avatar src={avatarUrl} size={36} radius="md" alt="" />
                    <div className="fills">
                      <To href={`/organizations/${name}`} fw={600} fz={15} className="row-title">
                        {fullname}
                      </To>
                      <Text size="xs" c="dimmed">
                        {name}
                        {securityRestrictions && `, not reached by this token: ${securityRestrictions.join(', ')}`}
                      </Text>
                    </div>
                    {plan && <Badge color="gray">{plan}</Badge>}
                    <Badge>{roleInOrg}</Badge>
                  </Group>
                ))}
              </ul>
            </Paper>
          )
        }
      </Loaded>
    </Page>
  );
}
