import type { DeliveryFilters } from '@moonbase/client/webhooks';
import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { SCOPES } from '../events.ts';

export const STATUSES = ['delivered', 'retrying', 'failed', 'pending', 'throttled'] as const;
export type Filters = Pick<DeliveryFilters, 'status' | 'scope' | 'repo' | 'from' | 'to'>;

/** Returns the filters of the delivery log, which are kept in the URL. Times are ISO dates. */
export function useDeliveryFilters(): readonly [Filters, (change: Filters) => void] {
  const [params, setParams] = useSearchParams();
  const filters = useMemo((): Filters => {
    const status = STATUSES.find((each) => each === params.get('status'));
    const scope = SCOPES.find((each) => each === params.get('scope'));
    const [repo, from, to] = ['repo', 'from', 'to'].map((name) => params.get(name) ?? undefined);
    return withoutUndefined({ status, scope, repo, from, to });
  }, [params]);
  const change = (changed: Filters) =>
    setParams(
      new URLSearchParams(
        Object.entries(withoutUndefined({ ...filters, ...changed })).map(([name, value]) => [name, `${value}`]),
      ),
    );
  return [filters, change];
}

const withoutUndefined = (filters: { [Name in keyof Filters]: Filters[Name] | undefined }): Filters =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined && value !== ''));
