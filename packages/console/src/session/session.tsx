import { signOut as endSession } from '@moonbase/client/authentication';
import { whoAmI } from '@moonbase/client/profiles';
import type { Hub } from '@moonbase/client/request';
import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { beginDrafts, keepDrafts } from '../ui/forms/drafts.ts';
import { HUB } from './hub.ts';
import { onOtherTab, tellOtherTabs } from './other-tabs.ts';
import { isRefusal, ME, queries, refused } from './queries.ts';

/** Whether somebody is signed in with this browser. */
type SignInState =
  | { readonly is: 'unknown'; readonly error?: unknown }
  | { readonly is: 'in' }
  | {
      readonly is: 'out';
      readonly reason?: string | undefined;
      /** Set if this tab had a signed-in user since it was loaded. */
      readonly left?: true;
    };

interface Session {
  readonly signInState: SignInState;
  /** Asks the hub who is signed in. */
  readonly refresh: () => Promise<void>;
  /** To be called after signing in: asks the hub who is signed in, and makes the other tabs ask as well. */
  readonly begin: () => Promise<void>;
  /** Ends the session of this browser. */
  readonly signOut: () => Promise<void>;
}

const Context = createContext<Session | undefined>(undefined);

export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [signInState, setSignInState] = useState<SignInState>({ is: 'unknown' });

  const end = useCallback((reason?: string) => {
    if (queries.getQueryData(ME) === undefined) {
      setSignInState((before) => (before.is === 'out' ? before : { is: 'out' }));
    } else {
      setSignInState({ is: 'out', reason, left: true });
      queries.clear();
    }
  }, []);

  const refresh = useCallback(async () => {
    try {
      const me = await whoAmI(HUB);
      const before = queries.getQueryData<{ readonly id: string }>(ME);
      // Another user has signed in, so nothing of the previous user may stay in the tab.
      if (before && before.id !== me.id) return location.replace('/');
      beginDrafts(me.id);
      queries.setQueryData(ME, me);
      setSignInState({ is: 'in' });
    } catch (error) {
      if (isRefusal(error)) return end();
      setSignInState((before) => (before.is === 'unknown' ? { is: 'unknown', error } : before));
    }
  }, [end]);

  const begin = useCallback(async () => {
    await refresh();
    tellOtherTabs('signed-in');
  }, [refresh]);

  const signOut = useCallback(async () => {
    await endSession(HUB);
    tellOtherTabs('signed-out');
    end();
  }, [end]);

  useEffect(() => {
    void refresh();
    const onRefused = () => {
      keepDrafts();
      end('Your session has ended. Sign in again.');
    };
    refused.addEventListener('refused', onRefused);
    const endElsewhere = () => {
      const reason = 'You have signed out in another tab.';
      end(reason);
      // The hub may have refused a request of this tab before the other tab could tell.
      setSignInState((before) => (before.is === 'out' && before.left ? { ...before, reason } : before));
    };
    const unlisten = onOtherTab((change) => {
      if (change === 'signed-in') void refresh();
      else if (change === 'signed-out') endElsewhere();
      else void queries.invalidateQueries({ refetchType: document.hidden ? 'none' : 'active' });
    });
    return () => {
      refused.removeEventListener('refused', onRefused);
      unlisten();
    };
  }, [refresh, end]);

  const session = useMemo(() => ({ signInState, refresh, begin, signOut }), [signInState, refresh, begin, signOut]);
  return <Context value={session}>{children}</Context>;
}

export function useSession(): Session {
  const session = useContext(Context);
  if (!session) throw new Error('Outside of a session');
  return session;
}

/** Returns the hub, a parameter of every client call. */
export const useHub = (): Hub => HUB;

export function useMe() {
  return useQuery({
    queryKey: ME,
    queryFn: ({ signal }) => whoAmI({ ...HUB, signal }),
    staleTime: 300_000,
  });
}
