/** One of a few, each a card of its own with room for what it means. */
import { type ReactNode, useId } from 'react'
import { classes } from '../../kit/index.ts'

export interface OptionCard<Value extends string> {
  readonly value: Value
  readonly title: ReactNode
  readonly about: ReactNode
  /** Set apart at the foot: a count, a price. */
  readonly foot?: ReactNode
}

export function OptionCards<Value extends string>({
  label,
  value,
  options,
  onChange,
  columns = 3,
}: {
  label: string
  value: Value | null
  options: readonly OptionCard<Value>[]
  onChange: (value: Value) => void
  columns?: 1 | 2 | 3
}) {
  const name = useId()
  return (
    <fieldset>
      <legend className="mb-2 text-small font-medium text-ink-2">{label}</legend>
      <div
        className={classes(
          'grid gap-3',
          columns === 3 ? 'lg:grid-cols-3' : columns === 2 ? 'sm:grid-cols-2' : '',
        )}
      >
        {options.map((option) => (
          <label
            key={option.value}
            className="flex cursor-default flex-col rounded-2 border border-line-strong bg-sheet px-4 py-3 has-checked:border-act has-checked:bg-act-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-act"
          >
            <span className="flex items-start gap-2.5">
              <input
                type="radio"
                name={name}
                value={option.value}
                checked={value === option.value}
                onChange={() => onChange(option.value)}
                className="mt-1 accent-act"
              />
              <span className="font-medium">{option.title}</span>
            </span>
            <span className="mt-1 flex-1 ps-6 text-small text-ink-2">{option.about}</span>
            {option.foot === undefined ? null : (
              <span className="mt-2.5 border-t border-line pt-2 ps-6 text-small text-ink-2">
                {option.foot}
              </span>
            )}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
