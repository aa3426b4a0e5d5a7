/** The access token stays in the tab, or in the browser where its owner asked for that; nowhere else. */
const KEY = 'moonbase.access-token';

export const storedToken = (): string | undefined =>
  sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY) ?? undefined;

export function keepToken(token: string, remember: boolean): void {
  forgetToken();
  (remember ? localStorage : sessionStorage).setItem(KEY, token);
}

export function forgetToken(): void {
  sessionStorage.removeItem(KEY);
  localStorage.removeItem(KEY);
}

/** Calls back when another tab forgets the token that this one shares with it. */
export function onForgotten(forgotten: () => void): () => void {
  const heard = (event: StorageEvent) => {
    if (event.storageArea === localStorage && (event.key === KEY || event.key === null) && event.newValue === null)
      if (storedToken() === undefined) forgotten();
  };
  addEventListener('storage', heard);
  return () => removeEventListener('storage', heard);
}
