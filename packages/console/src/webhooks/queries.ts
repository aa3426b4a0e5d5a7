import { getWebhook, listWebhooks } from '@moonbase/client/webhooks';
import { useQuery } from '@tanstack/react-query';
import { useHub } from '../session/session.tsx';

export const WEBHOOKS = ['webhooks'];
export const webhookKey = (id: string) => ['webhook', id];

export function useWebhooks() {
  const hub = useHub();
  return useQuery({ queryKey: WEBHOOKS, queryFn: ({ signal }) => listWebhooks({ ...hub, signal }) });
}

export function useWebhook(webhookId: string) {
  const hub = useHub();
  return useQuery({
    queryKey: webhookKey(webhookId),
    queryFn: async ({ signal }) => (await getWebhook({ ...hub, webhookId, signal })).webhook,
  });
}
