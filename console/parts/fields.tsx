/** Fields and buttons of forms. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { Action } from '../data/load.ts';
import { wordsOf } from '../kernel/ids.ts';
import { Refusal } from './states.tsx';

/**
 * Puts `value` into the field when the page opens and when `value` changes. In between the field is the person's: a page
 * that is drawn again, as one that follows payments is all the time, takes nothing of what was typed.
 */
function useGiven<Field extends HTMLInputElement | HTMLSelectElement>(value: string) {
  const field = useRef<Field>(null);
  useLayoutEffect(() => {
    if (field.current) field.current.value = value;
  }, [value]);
  return field;
}

type InputProps = {
  readonly label: string;
  readonly name: string;
  readonly value?: string;
  readonly type?: string;
  readonly placeholder?: string;
  readonly isRequired?: boolean;
  readonly autoComplete?: string;
  readonly step?: string;
};

export function Input({ label, value = '', isRequired = false, ...input }: InputProps) {
  const id = useId();
  const field = useGiven<HTMLInputElement>(value);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input ref={field} id={id} {...input} required={isRequired} spellcheck={false} />
    </div>
  );
}

type SelectProps = {
  readonly label: string;
  readonly name: string;
  readonly value?: string;
  readonly options: readonly string[];
  readonly any?: string;
};

export function Select({ label, name, value = '', options, any }: SelectProps) {
  const id = useId();
  const field = useGiven<HTMLSelectElement>(value || (any === undefined ? (options[0] ?? '') : ''));
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select ref={field} id={id} name={name}>
        {any !== undefined && <option value="">{any}</option>}
        {options.map((option) => (
          <option key={option} value={option}>
            {wordsOf(option)}
          </option>
        ))}
      </select>
    </div>
  );
}

export type Filled = Readonly<Record<string, string>>;

/** The fields by name, without those that are empty. */
const filledOf = (form: HTMLFormElement): Filled =>
  Object.fromEntries(
    [...new FormData(form)].flatMap(([name, value]) =>
      typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()]] : [],
    ),
  );

type FormProps = {
  readonly submit: string;
  readonly onFilled: (filled: Filled) => void;
  readonly action?: Pick<Action<never>, 'isBusy' | 'refused'>;
  readonly isFilter?: boolean;
  readonly label?: string;
  readonly children?: ComponentChildren;
};

export function Form({ submit, onFilled, action, isFilter = false, label, children }: FormProps) {
  return (
    <form
      class={isFilter ? 'filters' : 'form'}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        onFilled(filledOf(event.currentTarget));
      }}
      onChange={isFilter ? (event) => onFilled(filledOf(event.currentTarget)) : undefined}
    >
      {children}
      <button type="submit" disabled={action?.isBusy ?? false}>
        {submit}
      </button>
      <Refusal refused={action?.refused} />
    </form>
  );
}

type ActProps = { readonly label: string; readonly action: Action<void>; readonly isDanger?: boolean };

/** A button that does one thing, and shows why it was refused. */
export const Act = ({ label, action, isDanger = false }: ActProps) => (
  <>
    <button
      type="button"
      class={isDanger ? 'danger' : ''}
      disabled={action.isBusy}
      onClick={() => void action.run()}
    >
      {label}
    </button>
    <Refusal refused={action.refused} />
  </>
);
