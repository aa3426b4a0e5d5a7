import { HubApiError } from '@moonbase/client/errors';
import type { ReactNode } from 'react';
import { part } from '../../ui/updates/part.ts';
import type { Place } from '../place.ts';

const AskAccess = part(() => import('./ask-access.tsx').then((page) => page.AskAccess));

/** Shows content, or a form that asks for access if the hub refuses the content because the repository is gated. */
export function Gate(props: { readonly place: Place; readonly error: unknown; readonly children: ReactNode }) {
  const { place, error, children } = props;
  if (error instanceof HubApiError && error.code === 'GatedRepo') return <AskAccess place={place} refusal={error} />;
  return children;
}
