import { listWebhookFigures, type WebhookFigures } from '@moonbase/client/webhooks';
import { useQuery } from '@tanstack/react-query';
import { useHub } from '../../session/session.tsx';

export type Figures = WebhookFigures;

const EVERY_MS = 20_000;

/** How the webhooks of the user fare, kept fresh while a page is open. */
export function useFigures() {
  const hub = useHub();
  return useQuery({
    queryKey: ['webhook-figures'],
    queryFn: ({ signal }) => listWebhookFigures({ ...hub, signal }),
    staleTime: EVERY_MS / 2,
    refetchInterval: EVERY_MS,
  });
}

/** Returns how one webhook fares; undefined as long as that is not known. */
export const useFiguresOf = (webhookId: string): Figures | undefined =>
  useFigures().data?.find(({ id }) => id === webhookId);

/** Returns how many webhooks fail or are suspended. */
export const useUnwell = (): number =>
  useFigures().data?.filter(({ failingSince, suspension }) => failingSince ?? suspension).length ?? 0;

/** Describes the result of an attempt: `200`, or why there was no response. */
export const resultText = ({ responseStatus, error }: NonNullable<Figures['lastAttempt']>): string =>
  responseStatus?.toString() ?? error ?? 'no response';

/** Returns the share of attempts that succeeded, rounded down, so that 100 % means all. */
export const successRate = ({ attempts, delivered }: Figures): string | undefined =>
  attempts === 0 ? undefined : `${Math.floor((100 * delivered) / attempts)} %`;
