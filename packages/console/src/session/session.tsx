import { whoAmI } from '@moonbase/client/profiles';
import type { Hub } from '@moonbase/client/request';
import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { queries, refused } from './queries.ts';
import { forgetToken, keepToken, onForgotten, storedToken } from './token-store.ts';

interface Session {
  readonly token: string | undefined;
  /** Why nobody is signed in any more. */
  readonly reason: string | undefined;
  readonly signIn: (token: string, remember: boolean) => Promise<void>;
  readonly signOut: (reason?: string) => void;
}

const Context = createContext<Session | undefined>(undefined);
const hubUrl = location.origin;

export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [token, setToken] = useState(storedToken);
  const [reason, setReason] = useState<string>();

  const signOut = useCallback((why?: string) => {
    forgetToken();
    setToken(undefined);
    setReason(why);
    queries.clear();
  }, []);

  const signIn = useCallback(async (given: string, remember: boolean) => {
    const me = await whoAmI({ hubUrl, accessToken: given });
    keepToken(given, remember);
    queries.setQueryData(['me'], me);
    setToken(given);
    setReason(undefined);
  }, []);

  useEffect(() => {
    const over = () => signOut('The hub no longer accepts this access token. Sign in with another one.');
    refused.addEventListener('refused', over);
    const unlisten = onForgotten(() => signOut());
    return () => {
      refused.removeEventListener('refused', over);
      unlisten();
    };
  }, [signOut]);

  const session = useMemo(() => ({ token, reason, signIn, signOut }), [token, reason, signIn, signOut]);
  return <Context value={session}>{children}</Context>;
}

export function useSession(): Session {
  const session = useContext(Context);
  if (!session) throw new Error('Outside of a session');
  return session;
}

/** Where to ask, and as whom: spread into each call of the client. */
export function useHub(): Hub {
  const { token } = useSession();
  return useMemo(() => ({ hubUrl, accessToken: token }), [token]);
}

export function useMe() {
  const hub = useHub();
  return useQuery({
    queryKey: ['me'],
    queryFn: ({ signal }) => whoAmI({ ...hub, signal }),
    staleTime: 300_000,
  });
}
