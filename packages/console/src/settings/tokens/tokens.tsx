import { Button, Group } from '@mantine/core';
import { deleteAccessToken, listAccessTokens } from '@moonbase/client/access-tokens';
import { Link } from 'wouter';
import { useHub } from '../../session/session.tsx';
import { Settings } from '../settings.tsx';
import { TokenList } from './token-list.tsx';

export const TOKENS = ['access-tokens'] as const;

/** The access tokens of the user. */
export function AccessTokens() {
  const hub = useHub();
  return (
    <Settings tab="Access tokens">
      <Group justify="flex-end" mb="sm">
        <Button component={Link} href="/settings/tokens/new">
          Create token
        </Button>
      </Group>
      <TokenList
        queryKey={TOKENS}
        list={(options) => listAccessTokens({ ...hub, ...options })}
        remove={(deletion) => deleteAccessToken({ ...hub, ...deletion })}
        none="Programs sign in with an access token, such as hf and huggingface_hub."
      />
    </Settings>
  );
}
