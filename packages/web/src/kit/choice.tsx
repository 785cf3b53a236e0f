/** Owns switches, choices and ticks: what is picked and not typed. */
import { type ReactNode, useId } from 'react'
import { classes } from './classes.ts'

/** On or off, with the words for what that means. Takes effect at once. */
export function Toggle({
  label,
  hint,
  checked,
  onChange,
  disabled = false,
}: {
  label: string
  hint?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
}) {
  const id = useId()
  return (
    <div className="flex items-start gap-3">
      <button
        type="button"
        id={id}
        role="switch"
        aria-checked={checked}
        aria-labelledby={`${id}-label`}
        disabled={disabled}
        onClick={() => onChange(!checked)}
        className={classes(
          'mt-0.5 inline-flex h-6 w-10 shrink-0 items-center rounded-full border px-0.5 transition-colors duration-[120ms] disabled:opacity-50',
          // It is drawn small, and hit as easily as any other.
          'pointer-coarse:relative pointer-coarse:after:absolute pointer-coarse:after:-inset-x-1 pointer-coarse:after:-inset-y-3',
          checked ? 'border-act bg-act' : 'border-edge bg-well',
        )}
      >
        <span
          aria-hidden
          className={classes(
            'size-4 rounded-full transition-[margin] duration-[120ms] forced-colors:bg-[ButtonText]',
            checked ? 'ms-[18px] bg-act-ink' : 'ms-0 bg-edge',
          )}
        />
      </button>
      <div>
        <label id={`${id}-label`} htmlFor={id} className="font-medium">
          {label}
        </label>
        {hint === undefined ? null : <div className="text-small text-ink-2">{hint}</div>}
      </div>
    </div>
  )
}

/** One of a few, all of them visible. */
export function Choice<T extends string>({
  label,
  value,
  options,
  onChange,
  hideLabel = false,
}: {
  label: string
  value: T
  options: readonly { readonly value: T; readonly label: string; readonly hint?: string }[]
  onChange: (value: T) => void
  hideLabel?: boolean | undefined
}) {
  const name = useId()
  return (
    <fieldset>
      <legend className={hideLabel ? 'sr-only' : 'mb-1 text-small font-medium text-ink-2'}>{label}</legend>
      <div className="flex flex-wrap gap-2">
        {options.map((option) => (
          <label
            key={option.value}
            className="target inline-flex items-center gap-2 rounded-1 border border-line-strong bg-sheet px-3 py-1.5 has-checked:border-act has-checked:bg-act-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-act"
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={value === option.value}
              onChange={() => onChange(option.value)}
              className="accent-act"
            />
            <span>
              {option.label}
              {option.hint === undefined ? null : (
                <span className="block text-small text-ink-2">{option.hint}</span>
              )}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

export function Checkbox({
  label,
  checked,
  onChange,
  disabled = false,
}: {
  label: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
}) {
  return (
    <label className="target inline-flex items-center gap-2">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4 shrink-0 accent-act"
      />
      <span>{label}</span>
    </label>
  )
}
