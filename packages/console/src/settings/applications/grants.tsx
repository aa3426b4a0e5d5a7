import { Group, Paper, Text, Title } from '@mantine/core';
import { endGrant, listGrants, type OauthGrant } from '@moonbase/client/applications';
import { type QueryKey, useQuery } from '@tanstack/react-query';
import { useHub } from '../../session/session.tsx';
import { AskedButton } from '../../ui/asking/asked-button.tsx';
import { Empty, Loaded, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';

/** The applications that may act for the user, who can end each grant at once. */
export function OwnGrants() {
  const hub = useHub();
  return (
    <Grants
      title="Logged in for you"
      none="No application acts for you"
      queryKey={['grants']}
      list={(signal) => listGrants({ ...hub, signal })}
      end={(grantId) => endGrant({ ...hub, grantId })}
    />
  );
}

/** The applications that may act for a user. */
export function Grants(props: {
  readonly title: string;
  /** The text for an empty list. */
  readonly none: string;
  readonly queryKey: QueryKey;
  readonly list: (signal: AbortSignal) => Promise<readonly OauthGrant[]>;
  readonly end: (grantId: string) => Promise<unknown>;
}) {
  const { title, none, queryKey, list, end } = props;
  const query = useQuery({ queryKey, queryFn: ({ signal }) => list(signal) });
  return (
    <section aria-label={title}>
      <Title order={2} mb="sm">
        {title}
      </Title>
      <Loaded query={query} loading={<Loading rows={1} height={220} />}>
        {(grants) =>
          grants.length === 0 ? (
            <Empty title={none} />
          ) : (
            <Paper withBorder>
              <ul className="plain-list" aria-label={title}>
                {grants.map((grant) => (
                  <Group key={grant.id} component="li" className="row" px="md" py="sm">
                    <About grant={grant} />
                    <AskedButton
                      label="End"
                      name={`End ${grant.application.name}`}
                      question={`End the access of ${grant.application.name}?`}
                      action="End the access"
                      does={() => end(grant.id)}
                      changes={[queryKey]}
                    >
                      It is signed out at once, and the access tokens it created are deleted.
                    </AskedButton>
                  </Group>
                ))}
              </ul>
            </Paper>
          )
        }
      </Loaded>
    </section>
  );
}

function About({ grant }: { readonly grant: OauthGrant }) {
  const { application, organizations, address, createdAt, lastUsedAt } = grant;
  return (
    <div className="fills">
      <Text fw={600} className="breaks">
        {application.name}
      </Text>
      <Text size="sm" c="dimmed" className="breaks">
        {application.owner !== undefined && `of ${application.owner}, `}
        {organizations.length > 0 && `also in ${organizations.join(', ')}, `}
        access since <Time at={createdAt} /> from {address}. Last active:{' '}
        {lastUsedAt === undefined ? 'never' : <Time at={lastUsedAt} />}
      </Text>
    </div>
  );
}
