import { Button, Group, Paper, Text, Title } from '@mantine/core';
import {
  deleteTrustedPublisher,
  listTrustedPublishers,
  type TrustedPublisher,
} from '@moonbase/client/trusted-publishers';
import { useQuery } from '@tanstack/react-query';
import { useHub } from '../../session/session.tsx';
import { useAct } from '../../ui/act.ts';
import { Failure, Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { NewTrustedPublisher } from './new-trusted-publisher.tsx';
import { PUBLISHERS } from './queries.ts';

/** The external jobs that the user trusts with a repository. */
export function TrustedPublishers() {
  const hub = useHub();
  const query = useQuery({ queryKey: PUBLISHERS, queryFn: ({ signal }) => listTrustedPublishers({ ...hub, signal }) });
  const { act, busy, error } = useAct(PUBLISHERS);
  return (
    <section aria-label="Trusted publishers">
      <Title order={2} mb="sm">
        Trusted publishers
      </Title>
      {error && <Failure error={error} />}
      <Loaded query={query}>
        {(publishers) =>
          publishers.length > 0 && (
            <Paper withBorder mb="md">
              <ul className="plain-list" aria-label="Jobs that you trust">
                {publishers.map((publisher) => (
                  <Group key={publisher.id} component="li" className="row" px="md" py="sm">
                    <About publisher={publisher} />
                    <Button
                      size="compact-sm"
                      variant="default"
                      disabled={busy}
                      aria-label={`Delete the publisher of ${publisher.resource ?? 'nothing'}`}
                      onClick={() => act(() => deleteTrustedPublisher({ ...hub, publisherId: publisher.id }))}
                    >
                      Delete
                    </Button>
                  </Group>
                ))}
              </ul>
            </Paper>
          )
        }
      </Loaded>
      <NewTrustedPublisher />
    </section>
  );
}

function About({
  publisher: { resource, issuer, claims, createdAt, usedAt },
}: {
  readonly publisher: TrustedPublisher;
}) {
  const claimTexts = Object.entries(claims).map(([name, value]) => `${name} = ${value}`);
  return (
    <div className="fills">
      <Text fw={600} className="breaks">
        {resource ?? 'What it was for is gone'}
      </Text>
      <Text size="sm" c="dimmed" className="breaks">
        {issuer}, {claimTexts.join(', ')}
      </Text>
      <Text size="sm" c="dimmed">
        since <Time at={createdAt} />,{' '}
        {usedAt === undefined ? (
          'never used'
        ) : (
          <>
            last used <Time at={usedAt} />
          </>
        )}
      </Text>
    </div>
  );
}
