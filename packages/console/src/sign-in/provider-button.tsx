import { Button } from '@mantine/core';
import { beginSingleSignOn } from '@moonbase/client/single-sign-on';
import { useEffect, useRef } from 'react';
import { returnTo } from '../session/return-to.ts';
import { useHub } from '../session/session.tsx';
import { useAct } from '../ui/act.ts';
import { Refused } from '../ui/refused.tsx';

interface Props {
  /** The name of the provider. */
  readonly name: string;
  /** The organization that owns the provider; undefined: the hub. */
  readonly organization?: string | undefined;
  /** The page to return to; undefined: the page for which the sign-in page was opened. */
  readonly page?: string | undefined;
  /** Whether the provider must ask the person to sign in again. */
  readonly again?: boolean;
  /** Whether to go to the provider at once, without a click. */
  readonly goesByItself?: boolean;
}

/** A button that leads to a provider's sign-in page. */
export function ProviderButton({ name, organization, page, again, goesByItself = false }: Props) {
  const hub = useHub();
  const { act, busy, error } = useAct();
  const begin = async () => {
    const { search, hash, origin } = window.location;
    const returnPage = page ?? returnTo(search, origin) + hash;
    const { url } = await beginSingleSignOn({ ...hub, retry: false, organization, returnTo: returnPage, again });
    window.location.assign(url);
  };
  const hasGone = useRef(false);
  useEffect(() => {
    if (!goesByItself || hasGone.current) return;
    hasGone.current = true;
    act(begin);
  });
  return (
    <>
      <Button variant="default" fullWidth loading={busy} onClick={() => act(begin)}>
        {again ? `Sign in again with ${name}` : `Sign in with ${name}`}
      </Button>
      <Refused error={error} mt="0" />
    </>
  );
}
