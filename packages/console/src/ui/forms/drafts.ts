import { useEffect, useState } from 'react';

const STORED = 'moonbase.drafts';

let user: string | undefined;
/** The texts that differ from what the fields on the page began with. */
const live = new Map<string, string>();
/** The texts of a page that was loaded again, or of a session that ended, until their fields are shown again. */
let left = new Map<string, string>();

/**
 * Holds a text that outlives what its user did not choose: a reload by the console, and a session that ends. It is for what
 * people write, never for secrets.
 */
export function useDraft(field: string, initial = '') {
  const [key] = useState(() => `${location.pathname} ${field}`);
  const [text, setText] = useState(() => left.get(key) ?? initial);
  useEffect(() => {
    left.delete(key);
    if (text === initial) return;
    live.set(key, text);
    return () => void live.delete(key);
  }, [key, text, initial]);
  return [text, setText] as const;
}

/** Gives a user who is signed in their own texts back, and drops those of anybody else. */
export function beginDrafts(userId: string): void {
  if (user !== userId) left = new Map();
  user = userId;
  const stored = sessionStorage.getItem(STORED);
  if (stored === null) return;
  sessionStorage.removeItem(STORED);
  const [author, texts]: [string, [string, string][]] = JSON.parse(stored);
  if (author === userId) left = new Map(texts);
}

/** Keeps the texts of this tab for the next page or session of the same user. Returns whether there was room for them. */
export function keepDrafts(): boolean {
  const texts = [...left, ...live];
  if (user === undefined || texts.length === 0) return true;
  try {
    sessionStorage.setItem(STORED, JSON.stringify([user, texts]));
    return true;
  } catch {
    return false;
  }
}
