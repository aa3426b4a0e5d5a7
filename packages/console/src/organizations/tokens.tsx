import { Badge, Button, Group, Table } from '@mantine/core';
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
import { Confirm } from '../ui/asking/confirm.tsx';
import { useEntries } from '../ui/entries.ts';
import { To } from '../ui/link.tsx';
import { DataTable } from '../ui/lists/data-table.tsx';
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
            <DataTable
              label="Tokens"
              columns={['Status', 'User', 'Token', 'Role', 'Last used', 'Expires', 'Actions']}
              busy={query.isPlaceholderData}
              below={<More more={more} busy={query.isPlaceholderData} />}
            >
              {tokens.map((token) => (
                <Row
                  key={token.id}
                  token={token}
                  decide={(decision) => decide.mutate({ tokenId: token.id, decision })}
                  revoke={() => setRevoking(token)}
                />
              ))}
            </DataTable>
          )
        }
      </Loaded>
      <Confirm
        opened={revoking !== undefined}
        title={`Revoke ${revoking?.application ?? `hf_…${revoking?.last4}`} of ${revoking?.user}?`}
        action="Revoke"
        busy={decide.isPending}
        error={decide.error}
        close={() => setRevoking(undefined)}
        confirm={() => revoking && decide.mutate({ tokenId: revoking.id, decision: 'revoke' })}
      >
        It can never reach {name} again. Elsewhere it keeps working.
      </Confirm>
    </Organization>
  );
}

function Row(props: {
  readonly token: MemberToken;
  readonly decide: (decision: 'approve' | 'deny') => void;
  readonly revoke: () => void;
}) {
  const { token, decide, revoke } = props;
  const { status, user, application, last4, role, lastUsedAt, expiresAt } = token;
  return (
    <Table.Tr>
      <Table.Td>
        <Badge color={COLORS[status]}>{status}</Badge>
      </Table.Td>
      <Table.Td>
        <To href={`/${encodeURIComponent(user)}`} size="sm" fw={600}>
          {user}
        </To>
      </Table.Td>
      <Table.Td className="breaks">{application ?? `hf_…${last4}`}</Table.Td>
      <Table.Td>{role}</Table.Td>
      <Table.Td className="no-wrap">{lastUsedAt ? <Time at={lastUsedAt} /> : 'Never'}</Table.Td>
      <Table.Td className="no-wrap">{expiresAt ? <Time at={expiresAt} /> : 'Never'}</Table.Td>
      <Table.Td>
        <Group gap={4} wrap="nowrap">
          {(status === 'pending' || status === 'denied') && (
            <Button size="compact-sm" onClick={() => decide('approve')}>
              Approve
            </Button>
          )}
          {(status === 'pending' || status === 'approved') && (
            <Button size="compact-sm" variant="default" onClick={() => decide('deny')}>
              Deny
            </Button>
          )}
          {status !== 'revoked' && (
            <Button size="compact-sm" variant="default" onClick={revoke}>
              Revoke
            </Button>
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
