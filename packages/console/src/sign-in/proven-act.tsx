import type { QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import { useAct } from '../ui/act.ts';
import { Refused } from '../ui/refused.tsx';
import { needsRecentSignIn, SignInAgain } from './sign-in-again.tsx';

/** Runs actions as `useAct` does, that the hub may want a sign-in of a moment ago for. */
export function useProvenAct(...changes: readonly QueryKey[]) {
  const { act, busy, error, reset } = useAct(...changes);
  const [last, setLast] = useState<() => void>();
  return {
    act: (does: () => Promise<unknown>, after?: () => void) => {
      const run = () => act(does, after);
      setLast(() => run);
      run();
    },
    ...{ busy, error, reset },
    /** Runs the last action again. */
    goOn: () => last?.(),
  };
}

/**
 * Says why an action was refused, or asks its user to sign in again and goes on with the action. It stands outside of other
 * forms, as it has one of its own.
 */
export function Proof({ of: { error, goOn } }: { readonly of: ReturnType<typeof useProvenAct> }) {
  return needsRecentSignIn(error) ? <SignInAgain onSignedIn={goOn} /> : <Refused error={error} mt="0" />;
}
