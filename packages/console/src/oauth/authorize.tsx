import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { type AuthorizationAsked, decideAuthorization, getAuthorization } from '@moonbase/client/oauth';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSearch } from 'wouter';
import { useHub } from '../session/session.tsx';
import { Page } from '../ui/page.tsx';
import { Failure, Loaded } from '../ui/states.tsx';
import { RequestSummary, selectedIn } from './request-summary.tsx';

type ConsentRequest = Exclude<AuthorizationAsked, { location: string }>;

/** Asks the user whether an application may act for them, and returns the browser to the application. */
export function Authorize() {
  const hub = useHub();
  const parameters = Object.fromEntries(new URLSearchParams(useSearch()));
  const query = useQuery({
    queryKey: ['authorization', parameters],
    queryFn: ({ signal }) => getAuthorization({ ...hub, ...parameters, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data } = query;
  useEffect(() => {
    if (data && 'location' in data) location.assign(data.location);
  }, [data]);
  return (
    <Page title="Let an application in">
      <Loaded query={query}>
        {(request) => ('location' in request ? null : <Decision request={request} parameters={parameters} />)}
      </Loaded>
    </Page>
  );
}

function Decision({
  request,
  parameters,
}: {
  readonly request: ConsentRequest;
  readonly parameters: Readonly<Record<string, string>>;
}) {
  const hub = useHub();
  const [organizations, setOrganizations] = useState(() => selectedIn(request));
  const decide = useMutation({
    mutationFn: (decision: 'allow' | 'deny') =>
      decideAuthorization({ ...hub, decision: { ...parameters, decision, organizations } }),
    onSuccess: ({ location: to }) => location.assign(to),
  });
  return (
    <Paper withBorder p="md">
      <Stack>
        <RequestSummary request={request} picked={organizations} pick={setOrganizations} />
        <Text size="sm" c="dimmed" className="breaks">
          You go on to {new URL(request.redirectUri).origin} then.
        </Text>
        {decide.error && <Failure error={decide.error} />}
        <Group>
          <Button loading={decide.isPending || decide.isSuccess} onClick={() => decide.mutate('allow')}>
            Let it in
          </Button>
          <Button variant="default" disabled={decide.isPending} onClick={() => decide.mutate('deny')}>
            Refuse
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
