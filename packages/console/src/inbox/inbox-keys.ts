import { useKeys } from '../ui/keys/keys.ts';
import { focusRow, rowHere } from '../ui/keys/rows.ts';
import type { Selection } from './selection-bar.tsx';

/** Keys that act on the selection, or else on the line of the inbox that has the focus: `x` selects it, `e` is done. */
export function useInboxKeys(props: {
  /** The threads on the page, in their order. */
  readonly ids: readonly string[];
  readonly selection: Selection;
  readonly toggle: (id: string) => void;
  readonly done: (threads: Selection) => void;
}): void {
  const { ids, selection, toggle, done } = props;
  const here = () => ids.find((id) => id === rowHere()?.getAttribute('data-thread'));
  useKeys({
    x() {
      const id = here();
      if (id !== undefined) toggle(id);
    },
    e() {
      const id = here();
      const threads = selection === 'all' || selection.size > 0 ? selection : new Set(id === undefined ? [] : [id]);
      if (threads !== 'all' && threads.size === 0) return;
      // The line that has the focus may leave the list.
      if (id !== undefined) focusRow(id === ids.at(-1) ? -1 : 1);
      done(threads);
    },
  });
}
