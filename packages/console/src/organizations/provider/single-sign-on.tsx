import { Button, Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { HubApiError } from '@moonbase/client/errors';
import { deleteSingleSignOn, getSingleSignOn, type OrganizationProvider } from '@moonbase/client/single-sign-on';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useHub, useMe } from '../../session/session.tsx';
import { useAct } from '../../ui/act.ts';
import { Confirm } from '../../ui/asking/confirm.tsx';
import { Failure, Loaded } from '../../ui/states.tsx';
import { Organization, useOrganizationName } from '../organization.tsx';
import { ProviderForm } from './provider-form.tsx';
import { PROVIDER } from './query-key.ts';

/** The OpenID provider of an organization. */
export function SingleSignOn() {
  const organization = useOrganizationName();
  const hub = useHub();
  const me = useMe();
  const query = useQuery({
    queryKey: [...PROVIDER, organization],
    queryFn: ({ signal }) =>
      getSingleSignOn({ ...hub, organization, signal }).catch((error: unknown) => {
        if (error instanceof HubApiError && error.status === 404) return error;
        throw error;
      }),
  });
  return (
    <Organization tab="Single sign-on">
      <Loaded query={me}>
        {({ orgs }) => (
          <Loaded query={query}>
            {(found) =>
              // A member is told that there is no provider; others, that there may be no organization.
              found instanceof HubApiError && !orgs.some(({ name }) => name === organization) ? (
                <Failure error={found} />
              ) : (
                <Provider key={organization} provider={found instanceof HubApiError ? null : found} />
              )
            }
          </Loaded>
        )}
      </Loaded>
    </Organization>
  );
}

function Provider({ provider }: { readonly provider: OrganizationProvider | null }) {
  return (
    <Stack>
      {provider ? (
        <Addresses provider={provider} />
      ) : (
        <Text size="sm">No provider is set. Once one is saved, this page shows the addresses to register there.</Text>
      )}
      <ProviderForm key={provider ? 'stored' : 'new'} provider={provider} />
      {provider && <Removal />}
    </Stack>
  );
}

function Addresses({ provider }: { readonly provider: OrganizationProvider }) {
  const { callbackUrl, logoutUrl, signInUrl } = provider;
  const addresses = [
    ['Redirect address, to register at the provider', callbackUrl],
    ['Back-channel logout address', logoutUrl],
    ['Where people sign in', signInUrl],
  ] as const;
  return (
    <Paper withBorder p="md" component="section" aria-label="Addresses">
      <Title order={2} mb="xs">
        Addresses
      </Title>
      {addresses.map(([label, url]) => (
        <Text key={label} size="sm" className="breaks">
          {label}: <Code>{url}</Code>
        </Text>
      ))}
    </Paper>
  );
}

function Removal() {
  const organization = useOrganizationName();
  const hub = useHub();
  const [isAsking, setAsking] = useState(false);
  const { act, busy, error, reset } = useAct([...PROVIDER, organization]);
  return (
    <Group>
      <Button variant="default" onClick={() => setAsking(true)}>
        Remove the provider
      </Button>
      <Confirm
        opened={isAsking}
        title={`Remove the provider of ${organization}?`}
        action="Remove"
        busy={busy}
        error={error}
        close={() => {
          setAsking(false);
          reset();
        }}
        confirm={() => act(() => deleteSingleSignOn({ ...hub, organization }))}
      >
        The sessions that it began end. Members stay members.
      </Confirm>
    </Group>
  );
}
