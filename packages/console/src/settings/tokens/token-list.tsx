import { Badge, Button, Checkbox, Table, Text } from '@mantine/core';
import type { AccessToken } from '@moonbase/client/access-tokens';
import type { QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import { useAct } from '../../ui/act.ts';
import { Confirm } from '../../ui/asking/confirm.tsx';
import { useEntries } from '../../ui/entries.ts';
import { DataTable } from '../../ui/lists/data-table.tsx';
import { More } from '../../ui/more.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';

const ROLES = { fineGrained: 'fine-grained', read: 'read', write: 'write' } as const;

/** The access tokens of one user, with buttons to delete them. */
export function TokenList(props: {
  readonly queryKey: QueryKey;
  readonly list: (options: { readonly pageSize: number; readonly signal: AbortSignal }) => AsyncGenerator<AccessToken>;
  readonly remove: (deletion: { readonly tokenId: string; readonly keepCreated: boolean }) => Promise<unknown>;
  /** The text for an empty list. */
  readonly none: string;
}) {
  const { queryKey, list, remove, none } = props;
  const { query, more } = useEntries(queryKey, list);
  const { act, busy, error, reset } = useAct(queryKey, ['sessions']);
  const [deleting, setDeleting] = useState<AccessToken>();
  const [keepCreated, setKeepCreated] = useState(false);
  // Newer tokens come first, so that all that a token has created are loaded with it.
  const created = deleting ? createdWith(deleting, query.data ?? []) : [];
  const stop = () => {
    setDeleting(undefined);
    setKeepCreated(false);
    reset();
  };
  return (
    <>
      <Loaded query={query}>
        {(tokens) =>
          tokens.length === 0 ? (
            <Empty title="No access tokens">{none}</Empty>
          ) : (
            <DataTable
              label="Access tokens"
              columns={['Name', 'Role', 'Created', 'Last used', 'Expires', 'Actions']}
              busy={query.isPlaceholderData}
              below={<More more={more} busy={query.isPlaceholderData} />}
            >
              {tokens.map((token) => (
                <Row key={token.id} token={token} remove={() => setDeleting(token)} />
              ))}
            </DataTable>
          )
        }
      </Loaded>
      <Confirm
        opened={deleting !== undefined}
        title={`Delete ${deleting?.displayName}?`}
        action="Delete"
        busy={busy}
        error={error}
        close={stop}
        confirm={() => deleting && act(() => remove({ tokenId: deleting.id, keepCreated }), stop)}
      >
        Programs that use hf_…{deleting?.last4} are refused from now on, and browsers that signed in with it are signed
        out.
        {created.length > 0 && (
          <Checkbox
            mt="sm"
            label="Also delete the access tokens that were created with it"
            description={created.map(({ displayName }) => displayName).join(', ')}
            checked={!keepCreated}
            onChange={(event) => setKeepCreated(!event.currentTarget.checked)}
          />
        )}
      </Confirm>
    </>
  );
}

/** Returns the tokens that were created with a token, directly or indirectly. */
function createdWith({ id }: AccessToken, tokens: readonly AccessToken[]): AccessToken[] {
  return tokens.filter((each) => each.createdBy === id).flatMap((each) => [each, ...createdWith(each, tokens)]);
}

function Row({ token, remove }: { readonly token: AccessToken; readonly remove: () => void }) {
  const { displayName, role, last4, createdAt, lastUsedAt, expiresAt, fineGrained } = token;
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={600} className="breaks">
          {displayName}
        </Text>
        <Text size="xs" c="dimmed" className="breaks">
          hf_…{last4}
          {fineGrained?.scoped.map(({ entity, permissions }) => (
            <span key={entity._id}>
              ; {entity.name ?? entity._id}: {permissions.join(', ')}
            </span>
          ))}
          {fineGrained?.global && `; everywhere: ${fineGrained.global.join(', ')}`}
        </Text>
      </Table.Td>
      <Table.Td>
        <Badge>{ROLES[role]}</Badge>
      </Table.Td>
      <Table.Td className="no-wrap">
        <Time at={createdAt} />
      </Table.Td>
      <Table.Td className="no-wrap">{lastUsedAt === undefined ? 'Never' : <Time at={lastUsedAt} />}</Table.Td>
      <Table.Td className="no-wrap">
        {expiresAt !== undefined && Date.parse(expiresAt) <= Date.now() && 'Expired '}
        {expiresAt === undefined ? 'Never' : <Time at={expiresAt} />}
      </Table.Td>
      <Table.Td>
        <Button size="compact-sm" variant="default" aria-label={`Delete ${displayName}`} onClick={remove}>
          Delete
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}
