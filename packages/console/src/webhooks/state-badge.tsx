import { Badge } from '@mantine/core';
import type { Delivery, Webhook } from '@moonbase/client/webhooks';

export function StateBadge({ disabled }: Pick<Webhook, 'disabled'>) {
  if (disabled === 'suspended-after-failure') return <Badge color="red">suspended</Badge>;
  return disabled ? <Badge color="gray">disabled</Badge> : <Badge color="green">enabled</Badge>;
}

const COLORS = { delivered: 'green', failed: 'red', pending: 'blue', throttled: 'yellow' } as const;

export function OutcomeBadge({ status }: Pick<Delivery, 'status'>) {
  return (
    <Badge color={COLORS[status]} w={92}>
      {status}
    </Badge>
  );
}
