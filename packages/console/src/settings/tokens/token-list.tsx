import { Badge, Button, Group, Paper, Text } from '@mantine/core';
import type { AccessToken } from '@moonbase/client/access-tokens';
import type { QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import { useAct } from '../../ui/act.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { useEntries } from '../../ui/entries.ts';
import { More } from '../../ui/more.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';

const ROLES = { fineGrained: 'fine-grained', read: 'read', write: 'write' } as const;

/** The access tokens of one user, with buttons to delete them. */
export function TokenList(props: {
  readonly queryKey: QueryKey;
  readonly list: (options: { readonly pageSize: number; readonly signal: AbortSignal }) => AsyncGenerator<AccessToken>;
  readonly remove: (tokenId: string) => Promise<unknown>;
  /** The text for an empty list. */
  readonly none: string;
}) {
  const { queryKey, list, remove, none } = props;
  const { query, more } = useEntries(queryKey, list);
  const { act, busy, error, reset } = useAct(queryKey, ['sessions']);
  const [deleting, setDeleting] = useState<AccessToken>();
  const stop = () => {
    setDeleting(undefined);
    reset();
  };
  return (
    <>
      <Loaded query={query}>
        {(tokens) =>
          tokens.length === 0 ? (
            <Empty title="No access tokens">{none}</Empty>
          ) : (
            <Paper withBorder aria-busy={query.isPlaceholderData}>
              <ul className="plain-list" aria-label="Access tokens">
                {tokens.map((token) => (
                  <Row key={token.id} token={token} remove={() => setDeleting(token)} />
                ))}
              </ul>
              <More more={more} busy={query.isPlaceholderData} />
            </Paper>
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
        confirm={() => deleting && act(() => remove(deleting.id), stop)}
      >
        Programs that use hf_…{deleting?.last4} are refused from now on, and browsers that signed in with it are signed
        out.
      </Confirm>
    </>
  );
}

function Row({ token, remove }: { readonly token: AccessToken; readonly remove: () => void }) {
  const { displayName, role, last4, createdAt, lastUsedAt, expiresAt, fineGrained } = token;
  return (
    <Group component="li" className="row" px="md" py="sm">
      <div className="fills">
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
      </div>
      <Badge>{ROLES[role]}</Badge>
      <Text size="xs" c="dimmed" ta="right" miw={140}>
        Created <Time at={createdAt} />
        <br />
        {lastUsedAt === undefined ? (
          'Never used'
        ) : (
          <>
            Last used <Time at={lastUsedAt} />
          </>
        )}
        <br />
        {expiresAt === undefined ? (
          'Does not expire'
        ) : (
          <>
            {Date.parse(expiresAt) > Date.now() ? 'Expires' : 'Expired'} <Time at={expiresAt} />
          </>
        )}
      </Text>
      <Button size="compact-sm" variant="default" aria-label={`Delete ${displayName}`} onClick={remove}>
        Delete
      </Button>
    </Group>
  );
}
