import { Alert, Text } from '@mantine/core';
import { Cause } from './figures/fares.tsx';
import { useFiguresOf } from './figures/figures.ts';

/** Shows why the hub suspended a webhook. */
export function Suspension({ webhookId }: { readonly webhookId: string }) {
  const suspension = useFiguresOf(webhookId)?.suspension;
  return (
    <Alert color="red" title="Suspended after failures" role="alert">
      <Text size="sm" className="breaks">
        {suspension ? <Cause suspension={suspension} /> : 'The receiver failed for too long.'} The hub stopped sending.
        Enable the webhook when the receiver works again; what failed can be replayed.
      </Text>
    </Alert>
  );
}
