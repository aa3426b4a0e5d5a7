import { Badge, Button, Group, Paper, Text } from '@mantine/core';
import {
  approveMemberToken,
  denyMemberToken,
  listMemberTokens,
  type MemberToken,
  revokeMemberTokenById,
} from '@moonbase/client/member-tokens';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useHub } from '../session/session.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { useEntries } from '../ui/entries.ts';
import { More } from '../ui/more.tsx';
import { Refused } from '../ui/refused.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { Organization, useOrganizationName } from './organization.tsx';
import { TokenPolicy } from './token-policy.tsx';

const COLORS = { pending: 'blue', approved: 'green', denied: 'orange', revoked: 'red' } as const;
const DECISIONS = { approve: approveMemberToken, deny: denyMemberToken, revoke: revokeMemberTokenById };

/** The access tokens of members that reach the organization. */
export function Tokens() {
  const name = useOrganizationName();
  const hub = useHub();
  const queries = useQueryClient();
  const [revoking, setRevoking] = useState<MemberToken>();
  const { query, more } = useEntries(['tokens', name], (options) => listMemberTokens({ ...hub, name, ...options }));
  const decide = useMutation({
    mutationFn: ({ tokenId, decision }: { tokenId: string; decision: keyof typeof DECISIONS }) =>
      DECISIONS[decision]({ ...hub, name, tokenId }).then(() => undefined),
    onSuccess: () => setRevoking(undefined),
    onSettled: () => queries.invalidateQueries({ queryKey: ['tokens', name] }),
  });
  return (
    <Organization tab="Tokens">
      {query.data && <TokenPolicy />}
      {!revoking && <Refused error={decide.error} />}
      <Loaded query={query}>
        {(tokens) =>
          tokens.length === 0 ? (
            <Empty title="No tokens" />
          ) : (
            <Paper withBorder>
              <ul className="plain-list" aria-label="Tokens">
                {tokens.map((token) => (
                  <Group key={token.id} component="li" className="row" px="md" py="sm">
                    <Badge color={COLORS[token.status]} w={84}>
                      {token.status}
                    </Badge>
                    <Text size="sm" fw={600}>
                      {token.user}
                    </Text>
                    <Text size="sm" c="dimmed" className="fills breaks">
                      {token.application ?? `hf_…${token.last4}`}, {token.role},{' '}
                      {token.lastUsedAt ? (
                        <>
                          last used <Time at={token.lastUsedAt} />
                        </>
                      ) : (
                        'never used'
                      )}
                      {token.expiresAt && (
                        <>
                          , expires <Time at={token.expiresAt} />
                        </>
                      )}
                    </Text>
                    {(token.status === 'pending' || token.status === 'denied') && (
                      <Button
                        size="compact-sm"
                        onClick={() => decide.mutate({ tokenId: token.id, decision: 'approve' })}
                      >
                        Approve
                      </Button>
                    )}
                    {(token.status === 'pending' || token.status === 'approved') && (
                      <Button
                        size="compact-sm"
                        variant="default"
                        onClick={() => decide.mutate({ tokenId: token.id, decision: 'deny' })}
                      >
                        Deny
                      </Button>
                    )}
                    {token.status !== 'revoked' && (
                      <Button size="compact-sm" variant="default" onClick={() => setRevoking(token)}>
                        Revoke
                      </Button>
                    )}
                  </Group>
                ))}
              </ul>
              <More more={more} busy={query.isPlaceholderData} />
            </Paper>
          )
        }
      </Loaded>
      <Confirm
        opened={revoking !== undefined}
        title="Revoke this token?"
        action="Revoke"
        busy={decide.isPending}
        error={decide.error}
        close={() => setRevoking(undefined)}
        confirm={() => revoking && decide.mutate({ tokenId: revoking.id, decision: 'revoke' })}
      >
        {revoking?.application ?? `hf_…${revoking?.last4}`} of {revoking?.user} no longer reaches {name}, for good.
        Elsewhere it keeps working.
      </Confirm>
    </Organization>
  );
}
