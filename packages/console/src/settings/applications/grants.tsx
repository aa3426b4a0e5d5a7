import { Button, Group, Paper, Text, Title } from '@mantine/core';
import { endGrant, listGrants, type OauthGrant } from '@moonbase/client/applications';
import { type QueryKey, useQuery } from '@tanstack/react-query';
import { useHub } from '../../session/session.tsx';
import { useAct } from '../../ui/act.ts';
import { Empty, Failure, Loaded } from '../../ui/states.tsx';
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
  const { act, busy, error } = useAct(queryKey);
  return (
    <section aria-label={title}>
      <Title order={2} mb="sm">
        {title}
      </Title>
      {error && <Failure error={error} />}
      <Loaded query={query}>
        {(grants) =>
          grants.length === 0 ? (
            <Empty title={none} />
          ) : (
            <Paper withBorder>
              <ul className="plain-list" aria-label={title}>
                {grants.map((grant) => (
                  <Group key={grant.id} component="li" className="row" px="md" py="sm">
                    <About grant={grant} />
                    <Button
                      size="compact-sm"
                      variant="default"
                      disabled={busy}
                      aria-label={`End ${grant.application.name}`}
                      onClick={() => act(() => end(grant.id))}
                    >
                      End
                    </Button>
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
        since <Time at={createdAt} /> at {address},{' '}
        {lastUsedAt === undefined ? (
          'never used'
        ) : (
          <>
            last used <Time at={lastUsedAt} />
          </>
        )}
      </Text>
    </div>
  );
}
