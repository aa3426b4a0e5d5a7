import { Alert, Button, Center, Code, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { faultOf } from './fault.ts';
import { LockIcon } from './icons.tsx';

/** Placeholders for rows that are loading. */
export function Loading({ rows = 6, height = 56 }: { readonly rows?: number; readonly height?: number }) {
  return (
    <Stack gap="xs" role="group" aria-busy="true" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows without content are told apart by nothing else
        <Skeleton key={row} height={height} />
      ))}
    </Stack>
  );
}

export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <Center mih={220} p="md">
      <Stack align="center" gap="xs" maw={440}>
        <Title order={2}>{title}</Title>
        <Text c="dimmed" ta="center" component="div">
          {children}
        </Text>
      </Stack>
    </Center>
  );
}

/** Shows why content is missing: refused, not found or failed; a failed request can be repeated. */
export function Failure({ error, retry }: { readonly error: unknown; readonly retry?: (() => unknown) | undefined }) {
  const { status, message, requestId } = faultOf(error);
  if (status === 403)
    return (
      <Empty title="No permission">
        <LockIcon size={32} />
        <div>{message}</div>
      </Empty>
    );
  if (status === 402) return <Empty title="Not in this plan">{message}</Empty>;
  if (status === 404) return <Empty title="Not found">It does not exist, or you may not see it.</Empty>;
  return (
    <Alert color="red" title="That did not work" role="alert">
      <Stack gap="sm">
        <Text size="sm" className="keeps-lines">
          {message}
        </Text>
        <Group>
          {retry && (
            <Button size="xs" variant="default" onClick={() => void retry()}>
              Try again
            </Button>
          )}
          {requestId && (
            <Text size="xs">
              Request <Code>{requestId}</Code>
            </Text>
          )}
        </Group>
      </Stack>
    </Alert>
  );
}

/** Says that what is shown cannot be read any more: it stays, with what its user may have written below it. */
function Gone({ error }: { readonly error: unknown }) {
  const { status } = faultOf(error);
  if (status !== 403 && status !== 404) return null;
  return (
    <Alert color="orange" role="alert" mb="md" p="sm">
      This no longer exists, or you may no longer see it. What is shown here was loaded before that.
    </Alert>
  );
}

/** Shows the data of a query, or that it is loading or has failed. */
export function Loaded<T>(props: {
  readonly query: UseQueryResult<T>;
  readonly loading?: ReactNode;
  readonly children: (data: T) => ReactNode;
}) {
  const { query, loading = <Loading />, children } = props;
  if (query.data !== undefined)
    return (
      <>
        <Gone error={query.error} />
        {children(query.data)}
      </>
    );
  return query.error ? <Failure error={query.error} retry={query.refetch} /> : loading;
}
