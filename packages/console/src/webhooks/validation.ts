import { HubApiError } from '@moonbase/client/errors';
import type { WebhookInput } from '@moonbase/client/webhooks';
import { useQuery } from '@tanstack/react-query';
import { faultOf } from '../ui/fault.ts';

/** Faults by form field. */
export type Faults = Readonly<Record<string, string | undefined>>;

/** Loads the hub's schema, a large script, after the form. */
export function useSchema() {
  const { data } = useQuery({
    queryKey: ['schema', 'webhook'],
    queryFn: () => import('@moonbase/contract/webhooks/webhooks').then(({ WebhookInput }) => ({ WebhookInput })),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data?.WebhookInput;
}

export function faultsOf(schema: ReturnType<typeof useSchema>, input: WebhookInput): Faults {
  const issues = schema?.safeParse(input).error?.issues ?? [];
  const faults = issues.map(({ path, code, message }) => {
    const text = code === 'too_small' ? 'must have at least one' : message;
    return [fieldOf(path.map(String)), text] as const;
  });
  const address = input.url === undefined ? undefined : addressFault(input.url);
  return Object.fromEntries([...faults.reverse(), ...(address ? [['url', address] as const] : [])]);
}

/** Returns a specific message about a URL in place of the schema's general one. */
function addressFault(url: string): string | undefined {
  return url !== '' && /^https?:\/\/\S+$/.test(url) ? undefined : 'must begin with https:// or http://';
}

/** Returns the hub's faults by field; faults of no field have the empty name. */
export function refusalsOf(error: unknown): Faults {
  if (!(error instanceof HubApiError) || error.issues.length === 0) return { '': faultOf(error).message };
  return Object.fromEntries(
    error.issues.map(({ path, message }) => [fieldOf(path.replace(/^body\.?/, '').split('.')), message]),
  );
}

const fieldOf = ([first = '', second]: readonly string[]): string =>
  first === 'job' && second !== undefined ? `job.${second}` : first;
