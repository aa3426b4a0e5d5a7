import { Button, Group, Radio, Stack, TextInput } from '@mantine/core';
import { createAccessToken } from '@moonbase/client/access-tokens';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { useHub, useMe } from '../../session/session.tsx';
import { useAct } from '../../ui/act.ts';
import { oneOf } from '../../ui/chosen.ts';
import { To } from '../../ui/link.tsx';
import { Refused } from '../../ui/refused.tsx';
import { ShownOnce } from '../../ui/secrets/shown-once.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Settings } from '../settings.tsx';
import { expiryTime } from './expiry.ts';
import { ExpiryField } from './expiry-field.tsx';
import { ScopePicker } from './scope-picker.tsx';
import { type Permission, type Scope, scopesOf } from './scopes.ts';
import { TOKENS } from './tokens.tsx';

const ROLES = ['fineGrained', 'read', 'write'] as const;
const WORDS = {
  fineGrained: ['Fine-grained', 'What you choose, on the things that you choose'],
  read: ['Read', 'Reads all that you may read'],
  write: ['Write', 'All that you may do'],
} as const;

/** The form that creates an access token and shows it once. */
export function NewToken() {
  const me = useMe();
  const [made, setMade] = useState<{ readonly displayName: string; readonly token: string }>();
  return (
    <Settings tab="New access token">
      {made ? (
        <>
          <ShownOnce title={`Access token ${made.displayName}`} value={made.token} what="the token">
            Copy the token and keep it like a password: whoever has it acts as you.
          </ShownOnce>
          <To href="/settings/tokens" size="sm" mt="md" display="inline-block" underline="always">
            To the access tokens
          </To>
        </>
      ) : (
        <Loaded query={me}>{({ id, name }) => <Form id={id} name={name} onMade={setMade} />}</Loaded>
      )}
    </Settings>
  );
}

function Form(props: {
  readonly id: string;
  readonly name: string;
  readonly onMade: (made: { readonly displayName: string; readonly token: string }) => void;
}) {
  const { id, name, onMade } = props;
  const hub = useHub();
  const [params] = useSearchParams();
  const [displayName, setDisplayName] = useState('');
  const [role, setRole] = useState(oneOf(ROLES, params.get('tokenType')) ?? 'fineGrained');
  const [expiry, setExpiry] = useState({ lifetime: '90', date: '' });
  const [scopes, setScopes] = useState<readonly Scope[]>([
    { entity: { _id: id, type: 'user', name }, permissions: [] },
  ]);
  const [everywhere, setEverywhere] = useState<readonly Permission[]>([]);
  const { act, busy, error } = useAct(TOKENS);
  const givesNothing =
    role === 'fineGrained' && everywhere.length === 0 && scopes.every(({ permissions }) => permissions.length === 0);
  const create = async () => {
    const fineGrained = role === 'fineGrained' ? scopesOf(scopes, everywhere) : undefined;
    const expiresAt = expiryTime(expiry, Date.now());
    onMade(await createAccessToken({ ...hub, displayName: displayName.trim(), role, fineGrained, expiresAt }));
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        act(create);
      }}
    >
      <Stack maw={640}>
        <TextInput
          label="Name"
          description="Where it is used, such as the name of a machine"
          autoComplete="off"
          maxLength={100}
          required
          withAsterisk={false}
          value={displayName}
          onChange={(event) => setDisplayName(event.currentTarget.value)}
        />
        <Radio.Group label="Type" value={role} onChange={(text) => setRole(oneOf(ROLES, text) ?? role)}>
          <Stack gap={6} mt="xs">
            {ROLES.map((each) => (
              <Radio key={each} value={each} label={WORDS[each][0]} description={WORDS[each][1]} />
            ))}
          </Stack>
        </Radio.Group>
        <ExpiryField expiry={expiry} change={setExpiry} />
        {role === 'fineGrained' && (
          <ScopePicker scopes={scopes} everywhere={everywhere} change={setScopes} changeEverywhere={setEverywhere} />
        )}
        <Refused error={error} mt="0" />
        <Group>
          <Button type="submit" loading={busy} disabled={displayName.trim() === '' || givesNothing}>
            Create token
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
