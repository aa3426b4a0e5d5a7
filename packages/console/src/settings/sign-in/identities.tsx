import { Button, Group, Stack, Text } from '@mantine/core';
import { type Identity, linkIdentity, listIdentities, unlinkIdentity } from '@moonbase/client/single-sign-on';
import { useQuery } from '@tanstack/react-query';
import { useHub } from '../../session/session.tsx';
import { useSignInMethods } from '../../sign-in/methods.ts';
import { Proof, useProvenAct } from '../../sign-in/proven-act.tsx';
import { AskedButton } from '../../ui/asking/asked-button.tsx';
import { Loaded, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';

const IDENTITIES = ['identities'] as const;

/** The providers by which the user can sign in. */
export function Identities() {
  const hub = useHub();
  const query = useQuery({ queryKey: IDENTITIES, queryFn: ({ signal }) => listIdentities({ ...hub, signal }) });
  const { data: methods } = useSignInMethods();
  const proven = useProvenAct(IDENTITIES);
  const { act, busy } = proven;
  const link = () =>
    linkIdentity({ ...hub, retry: false, returnTo: '/settings/sign-in' }).then(({ url }) =>
      window.location.assign(url),
    );
  return (
    <Loaded query={query} loading={<Loading rows={1} height={22} />}>
      {(identities) => (
        <Stack gap="sm">
          {identities.length === 0 ? (
            <Text size="sm">No provider signs you in.</Text>
          ) : (
            <ul className="plain-list" aria-label="Providers">
              {identities.map((identity) => (
                <Row
                  key={identity.id}
                  identity={identity}
                  busy={busy}
                  end={() => unlinkIdentity({ ...hub, identityId: identity.id })}
                  run={act}
                />
              ))}
            </ul>
          )}
          {methods?.provider && (
            <Group>
              <Button variant="default" loading={busy} onClick={() => act(link)}>
                Link {methods.provider.name}
              </Button>
            </Group>
          )}
          <Proof of={proven} />
        </Stack>
      )}
    </Loaded>
  );
}

function Row(props: {
  readonly identity: Identity;
  readonly busy: boolean;
  readonly end: () => Promise<unknown>;
  readonly run: (does: () => Promise<unknown>) => void;
}) {
  const { identity, busy, end, run } = props;
  const { issuer, organization, email, usedAt } = identity;
  return (
    <Group component="li" className="row" py={8} px={4}>
      <div className="fills">
        <Text size="sm" fw={600} className="breaks">
          {issuer}
        </Text>
        <Text size="xs" c="dimmed" className="breaks">
          {organization && `of ${organization}, `}
          {email && `as ${email}, `}last used <Time at={usedAt} />
        </Text>
      </div>
      <AskedButton
        label="Unlink"
        name={`Unlink ${issuer}`}
        question={`Unlink ${issuer}?`}
        disabled={busy}
        does={end}
        run={run}
      >
        You can no longer sign in with it{email && ` as ${email}`}.
      </AskedButton>
    </Group>
  );
}
