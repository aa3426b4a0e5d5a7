import { useEffect, useRef } from 'react';
import { areKeysOn } from './setting.ts';

/** Actions by keys, as `KeyboardEvent.key` names them; two keys in a row are separated by a space. */
export type Keys = Readonly<Record<string, () => void>>;

/** How long the second of two keys may take. */
const MAX_PAUSE_MS = 1500;
const CLICKED = new Set(['checkbox', 'radio', 'button', 'submit', 'reset', 'file']);

const bound = new Set<{ current: Keys }>();
let first: { readonly key: string; readonly at: number } | undefined;

/**
 * Acts on keys while the calling component is shown. Keys act neither in fields that take text, nor while a dialog or a
 * menu is open, nor together with Ctrl, Alt or Cmd; the user may turn them off.
 */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    bound.add(latest);
    if (bound.size === 1) window.addEventListener('keydown', onKey);
    return () => {
      bound.delete(latest);
      if (bound.size === 0) window.removeEventListener('keydown', onKey);
    };
  }, []);
}

/** Whether a key press belongs to the element that has the focus, or to something that is open above the page. */
export function isTaken(event: KeyboardEvent): boolean {
  const { target } = event;
  if (event.defaultPrevented || event.isComposing) return true;
  if (document.querySelector('[role=dialog], [role=menu]')) return true;
  if (target instanceof HTMLInputElement) return !CLICKED.has(target.type);
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('textarea, select, [role=combobox], [role=listbox]') !== null)
  );
}

function onKey(event: KeyboardEvent): void {
  const { key, timeStamp: at } = event;
  const before = first;
  if (key === 'Shift') return;
  first = undefined;
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isTaken(event) || !areKeysOn()) return;
  const pair = before && at - before.at < MAX_PAUSE_MS ? `${before.key} ${key}` : key;
  const all = [...bound].map(({ current }) => current);
  const act = all.findLast((keys) => Object.hasOwn(keys, pair))?.[pair];
  if (act) {
    event.preventDefault();
    act();
  } else if (all.some((keys) => Object.keys(keys).some((each) => each.startsWith(`${key} `)))) first = { key, at };
}
