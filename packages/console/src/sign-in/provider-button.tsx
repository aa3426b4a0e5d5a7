import { Button } from '@mantine/core';
import { beginSingleSignOn } from '@moonbase/client/single-sign-on';
import { useEffect, useRef } from 'react';
import { returnTo } from '../session/return-to.ts';
import { useHub } from '../session/session.tsx';
import { useAct } from '../ui/act.ts';
import { Refused } from '../ui/refused.tsx';

interface Props {
  /** What the provider is called. */
  readonly name: string;
  /** Whose provider it is; undefined: that of the hub. */
  readonly organization?: string | undefined;
  /** The page to come back to; undefined: the one that the sign-in page was asked for. */
  readonly page?: string | undefined;
  /** Signs in once more, also where the provider knows who is there. */
  readonly again?: boolean;
  /** Goes there at once, without a click. */
  readonly goesByItself?: boolean;
}

/** Leads to a provider, where the person signs in. */
export function ProviderButton({ name, organization, page, again, goesByItself = false }: Props) {
  const hub = useHub();
  const { act, busy, error } = useAct();
  const begin = async () => {
    const { search, hash, origin } = window.location;
    const asked = page ?? returnTo(search, origin) + hash;
    const { url } = await beginSingleSignOn({ ...hub, retry: false, organization, returnTo: asked, again });
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
