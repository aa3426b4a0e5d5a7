import { Text } from '@mantine/core';
import { finishSingleSignOn } from '@moonbase/client/single-sign-on';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { returnTo } from '../session/return-to.ts';
import { useHub, useSession } from '../session/session.tsx';
import { faultOf } from '../ui/fault.ts';
import { To } from '../ui/link.tsx';
import { Welcome } from './welcome.tsx';

/** The page to which a provider redirects people: finishes the sign-in and continues to the requested page. */
export function ProviderReturn() {
  const hub = useHub();
  const { begin } = useSession();
  const [, navigate] = useLocation();
  const begun = useRef(false);
  const { mutate, error } = useMutation({
    // A refused provider response must not end the session, as other responses with 401 do.
    mutationFn: (path: string) =>
      finishSingleSignOn({ ...hub, retry: false, path }).catch((fault: unknown) => {
        throw new Error(faultOf(fault).message);
      }),
    onSuccess: async (answer) => {
      await begin();
      // The code is removed from the history of the tab.
      navigate(returnTo(`?return_to=${encodeURIComponent(answer.returnTo)}`, window.location.origin), {
        replace: true,
      });
    },
  });
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    mutate(window.location.pathname + window.location.search);
  }, [mutate]);
  if (!error) return null;
  return (
    <Welcome title="You are not signed in">
      <Text size="sm" role="alert" className="breaks">
        {error.message}
      </Text>
      <To href="/login?auto=false" size="sm" underline="always">
        To the sign-in page
      </To>
    </Welcome>
  );
}
