import type { QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import { useAct } from '../ui/act.ts';
import { Refused } from '../ui/refused.tsx';
import { needsRecentSignIn, SignInAgain } from './sign-in-again.tsx';

/** Runs actions like `useAct`, for actions that may need a recent sign-in. */
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
 * Shows why an action was refused, or asks the user to sign in again and then repeats the action. It must stand outside
 * other forms, because it contains a form.
 */
export function Proof({ of: { error, goOn } }: { readonly of: ReturnType<typeof useProvenAct> }) {
  return needsRecentSignIn(error) ? <SignInAgain onSignedIn={goOn} /> : <Refused error={error} mt="0" />;
}
