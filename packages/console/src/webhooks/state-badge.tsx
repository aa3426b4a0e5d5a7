import { Badge } from '@mantine/core';
import type { Delivery, Webhook } from '@moonbase/client/webhooks';
import { useFiguresOf } from './figures/figures.ts';

/** The state of a webhook: an enabled one whose last attempt failed is failing. */
export function StateBadge({ webhook: { id, disabled } }: { readonly webhook: Pick<Webhook, 'id' | 'disabled'> }) {
  const figures = useFiguresOf(id);
  if (disabled === 'suspended-after-failure') return <Badge color="red">suspended</Badge>;
  if (disabled) return <Badge color="gray">disabled</Badge>;
  return figures?.failingSince ? <Badge color="orange">failing</Badge> : <Badge color="green">enabled</Badge>;
}

const COLORS = { delivered: 'green', failed: 'red', retrying: 'yellow', pending: 'blue', throttled: 'grape' } as const;

export function OutcomeBadge({ status }: Pick<Delivery, 'status'>) {
  return (
    <Badge color={COLORS[status]} w={92}>
      {status}
    </Badge>
  );
}
