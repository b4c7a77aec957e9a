/** Something that is shown above the page until it is closed, by Esc too. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

type DialogProps = {
  readonly title: string;
  readonly close: () => void;
  readonly children: ComponentChildren;
};

export function Dialog({ title, close, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={close}>
      <h2 id={id}>{title}</h2>
      {children}
      <button type="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}
