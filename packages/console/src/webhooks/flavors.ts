import { useQuery } from '@tanstack/react-query';

/** Returns the hardware that a webhook can name, from the contract. */
export function useFlavors(): string[] {
  const { data } = useQuery({
    queryKey: ['schema', 'flavors'],
    queryFn: () => import('@moonbase/contract/jobs/specification').then(({ Flavor }) => Flavor.options),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return [...(data ?? ['cpu-basic'])];
}
