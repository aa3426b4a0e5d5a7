import { Alert, Text } from '@mantine/core';
import { getDeliveryPage } from '@moonbase/client/webhooks';
import { useQuery } from '@tanstack/react-query';
import { useHub } from '../session/session.tsx';
import { Time } from '../ui/time.tsx';

/** Shows why the hub suspended a webhook: its last failure. */
export function Suspension({ webhookId }: { readonly webhookId: string }) {
  const hub = useHub();
  const { data } = useQuery({
    queryKey: ['webhook', webhookId, 'last-failure'],
    queryFn: ({ signal }) => getDeliveryPage({ ...hub, webhookId, status: 'failed', pageSize: 10, signal }),
  });
  const [last] = data?.entries.filter(({ responseStatus, error }) => responseStatus ?? error) ?? [];
  return (
    <Alert color="red" title="Suspended after failures" role="alert">
      <Text size="sm" className="breaks">
        The receiver failed for too long, so the hub stopped calling it.
        {last && (
          <>
            {' '}
            The last answer was {last.responseStatus ? `status ${last.responseStatus}` : last.error},{' '}
            <Time at={last.createdAt} />.
          </>
        )}{' '}
        Enable it when the receiver works again; what failed can be replayed.
      </Text>
    </Alert>
  );
}
