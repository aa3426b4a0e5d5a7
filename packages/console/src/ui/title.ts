import { useEffect } from 'react';

/** The title of the tab; what waits stands before it. */
export function useTitle(title: string, waiting = 0): void {
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${title} · Moonbase`;
  }, [title, waiting]);
}
