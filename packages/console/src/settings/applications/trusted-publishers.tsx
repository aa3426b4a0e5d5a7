import { Group, Paper, Text, Title } from '@mantine/core';
import {
  deleteTrustedPublisher,
  listTrustedPublishers,
  type TrustedPublisher,
} from '@moonbase/client/trusted-publishers';
import { useQuery } from '@tanstack/react-query';
import { useHub } from '../../session/session.tsx';
import { AskedButton } from '../../ui/asking/asked-button.tsx';
import { Loaded, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { NewTrustedPublisher } from './new-trusted-publisher.tsx';
import { PUBLISHERS } from './queries.ts';

/** The external jobs that the user trusts with a repository. */
export function TrustedPublishers() {
  const hub = useHub();
  const query = useQuery({ queryKey: PUBLISHERS, queryFn: ({ signal }) => listTrustedPublishers({ ...hub, signal }) });
  return (
    <section aria-label="Trusted publishers">
      <Title order={2} mb="sm">
        Trusted publishers
      </Title>
      <Loaded query={query} loading={<Loading rows={1} height={220} />}>
        {(publishers) =>
          publishers.length > 0 && (
            <Paper withBorder mb="md">
              <ul className="plain-list" aria-label="Jobs that you trust">
                {publishers.map((publisher) => (
                  <Group key={publisher.id} component="li" className="row" px="md" py="sm">
                    <About publisher={publisher} />
                    <AskedButton
                      label="Delete"
                      name={`Delete the publisher of ${publisher.resource ?? 'nothing'}`}
                      question={`Delete the publisher of ${publisher.resource ?? 'nothing'}?`}
                      does={() => deleteTrustedPublisher({ ...hub, publisherId: publisher.id })}
                      changes={[PUBLISHERS]}
                    >
                      Jobs of {publisher.issuer} can no longer get access tokens through it.
                    </AskedButton>
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
        {resource ?? 'Its repository was deleted'}
      </Text>
      <Text size="sm" c="dimmed" className="breaks">
        {issuer}, {claimTexts.join(', ')}
      </Text>
      <Text size="sm" c="dimmed">
        Added <Time at={createdAt} />. Last active: {usedAt === undefined ? 'never' : <Time at={usedAt} />}
      </Text>
    </div>
  );
}
