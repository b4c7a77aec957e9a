/** Keys that work everywhere but in a field: single ones, and `g` followed by another. */
import { useEffect } from 'preact/hooks';

export type Shortcut = { readonly keys: string; readonly does: string; readonly run: () => void };

const secondKeyMs = 1_500;
const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches('input, select, textarea, [contenteditable]');

export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  useEffect(() => {
    let before = '';
    let timer = 0;
    const pressed = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || isField(event.target)) return;
      if (document.querySelector('dialog[open]')) return;
      const keys = before ? `${before} ${event.key}` : event.key;
      before = '';
      clearTimeout(timer);
      const found = shortcuts.find((shortcut) => shortcut.keys === keys);
      if (found) {
        event.preventDefault();
        found.run();
      } else if (shortcuts.some((shortcut) => shortcut.keys.startsWith(`${event.key} `))) {
        before = event.key;
        timer = window.setTimeout(() => {
          before = '';
        }, secondKeyMs);
      }
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [shortcuts]);
}
