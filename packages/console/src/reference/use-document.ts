import { useQuery } from '@tanstack/react-query';
import { fetchAsOwnPage } from '../session/hub.ts';
import type { ApiDocument } from './document.ts';

/** Returns the OpenAPI document of the hub, which is the same for everybody. */
export function useDocument() {
  return useQuery({
    queryKey: ['openapi'],
    staleTime: Number.POSITIVE_INFINITY,
    async queryFn({ signal }): Promise<ApiDocument> {
      const response = await fetchAsOwnPage('/.well-known/openapi.json', { signal });
      if (!response.ok) throw new Error(`The hub answered with ${response.status}`);
      return response.json();
    },
  });
}
