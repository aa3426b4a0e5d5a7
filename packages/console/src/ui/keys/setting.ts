const NAME = 'moonbase.keys';

/** Returns whether single keys act in this browser (WCAG 2.2, 2.1.4: users can turn them off). */
export const areKeysOn = (): boolean => localStorage.getItem(NAME) !== 'off';

export function turnKeys(on: boolean): void {
  if (on) localStorage.removeItem(NAME);
  else localStorage.setItem(NAME, 'off');
}
