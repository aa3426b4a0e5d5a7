import { useEffect } from 'react';

/** Sets the title of the tab, with the number of unread notifications before it. */
export function useTitle(title: string, waiting = 0): void {
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${title} · Moonbase`;
  }, [title, waiting]);
}
