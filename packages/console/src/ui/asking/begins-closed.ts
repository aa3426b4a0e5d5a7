import { useEffect, useState } from 'react';

/**
 * Returns whether a dialog is open: never at its first rendering, since a dialog gives the focus back only to what had it
 * before a change.
 */
export function useBeginsClosed(opened: boolean): boolean {
  const [isThere, setIsThere] = useState(false);
  useEffect(() => setIsThere(true), []);
  return opened && isThere;
}
