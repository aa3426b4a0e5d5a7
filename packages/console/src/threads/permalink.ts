import { useEffect, useRef, useSyncExternalStore } from 'react';

function listen(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}

/**
 * Brings a comment into view, and the focus to it, where the fragment of the address names it: browsers look for it before the
 * thread has been read. Returns the properties of its element.
 */
export function usePermalink(id: string) {
  const ref = useRef<HTMLElement>(null);
  const isNamed = useSyncExternalStore(listen, () => location.hash === `#${id}`);
  useEffect(() => {
    if (!isNamed) return;
    ref.current?.scrollIntoView({ block: 'start' });
    ref.current?.focus({ preventScroll: true });
  }, [isNamed]);
  return { ref, id, tabIndex: -1, 'data-named': isNamed || undefined } as const;
}
