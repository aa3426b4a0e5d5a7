import { signOut as endSession } from '@moonbase/client/authentication';
import { whoAmI } from '@moonbase/client/profiles';
import type { Hub } from '@moonbase/client/request';
import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { HUB } from './hub.ts';
import { onOtherTab, tellOtherTabs } from './other-tabs.ts';
import { isRefusal, queries, refused } from './queries.ts';

/** Whether somebody is signed in in this browser. */
type Standing =
  | { readonly is: 'unknown'; readonly error?: unknown }
  | { readonly is: 'in' }
  | {
      readonly is: 'out';
      readonly reason?: string | undefined;
      /** Somebody was signed in in this page. */
      readonly left?: true;
    };

interface Session {
  readonly standing: Standing;
  /** Asks the hub who is signed in. */
  readonly look: () => Promise<void>;
  /** Goes on as the user whose session has just begun, in the other tabs as well. */
  readonly begin: () => Promise<void>;
  /** Ends the session of this browser. */
  readonly signOut: () => Promise<void>;
}

const Context = createContext<Session | undefined>(undefined);
const ME = ['me'] as const;

export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [standing, setStanding] = useState<Standing>({ is: 'unknown' });

  const end = useCallback((reason?: string) => {
    if (queries.getQueryData(ME) === undefined) {
      setStanding((before) => (before.is === 'out' ? before : { is: 'out' }));
    } else {
      setStanding({ is: 'out', reason, left: true });
      queries.clear();
    }
  }, []);

  const look = useCallback(async () => {
    try {
      const me = await whoAmI(HUB);
      const before = queries.getQueryData<{ readonly id: string }>(ME);
      // Somebody else has signed in: nothing of the one before stays in the tab.
      if (before && before.id !== me.id) return location.replace('/');
      queries.setQueryData(ME, me);
      setStanding({ is: 'in' });
    } catch (error) {
      if (isRefusal(error)) return end();
      setStanding((before) => (before.is === 'unknown' ? { is: 'unknown', error } : before));
    }
  }, [end]);

  const begin = useCallback(async () => {
    await look();
    tellOtherTabs('signed-in');
  }, [look]);

  const signOut = useCallback(async () => {
    await endSession(HUB);
    tellOtherTabs('signed-out');
    end();
  }, [end]);

  useEffect(() => {
    void look();
    const over = () => end('Your session has ended. Sign in again.');
    refused.addEventListener('refused', over);
    const unlisten = onOtherTab((change) =>
      change === 'signed-in' ? void look() : end('You have signed out in another tab.'),
    );
    return () => {
      refused.removeEventListener('refused', over);
      unlisten();
    };
  }, [look, end]);

  const session = useMemo(() => ({ standing, look, begin, signOut }), [standing, look, begin, signOut]);
  return <Context value={session}>{children}</Context>;
}

export function useSession(): Session {
  const session = useContext(Context);
  if (!session) throw new Error('Outside of a session');
  return session;
}

/** The hub, which each call of the client takes. */
export const useHub = (): Hub => HUB;

export function useMe() {
  return useQuery({
    queryKey: ME,
    queryFn: ({ signal }) => whoAmI({ ...HUB, signal }),
    staleTime: 300_000,
  });
}
