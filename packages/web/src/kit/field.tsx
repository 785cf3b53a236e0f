/** Owns what a person fills in. Every control has a visible label, its help beside it and its problem in words. */
import { ChevronDown } from 'lucide-react'
import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react'
import { classes } from './classes.ts'

export interface FieldProps {
  readonly label: string
  readonly hint?: ReactNode
  /** What is wrong with it, and what would be right. */
  readonly problem?: string | undefined
  /** The label is there for readers only, where the place says it already. */
  readonly hideLabel?: boolean | undefined
}

const controlClasses =
  'w-full rounded-1 border border-edge bg-sheet px-2.5 py-1.5 text-base text-ink aria-invalid:border-bad pointer-coarse:min-h-11 pointer-coarse:text-[16px]'

export function Field({
  label,
  hint,
  problem,
  hideLabel = false,
  children,
}: FieldProps & {
  children: (control: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ReactNode
}) {
  const id = useId()
  const described = [hint === undefined ? '' : `${id}-hint`, problem === undefined ? '' : `${id}-problem`]
    .filter(Boolean)
    .join(' ')
  return (
    <div>
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'mb-1 block text-small font-medium text-ink-2'}>
        {label}
      </label>
      {children({
        id,
        ...(described === '' ? {} : { 'aria-describedby': described }),
        ...(problem === undefined ? {} : { 'aria-invalid': true as const }),
      })}
      {hint === undefined ? null : (
        <div id={`${id}-hint`} className="mt-1 text-small text-ink-3">
          {hint}
        </div>
      )}
      {problem === undefined ? null : (
        <p id={`${id}-problem`} role="alert" className="mt-1 text-small font-medium text-bad">
          {problem}
        </p>
      )}
    </div>
  )
}

export function TextField({
  label,
  hint,
  problem,
  hideLabel,
  className,
  ref,
  ...rest
}: FieldProps & InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }) {
  return (
    <Field label={label} {...fieldOf({ hint, problem, hideLabel })}>
      {(control) => (
        <input
          ref={ref}
          type="text"
          autoComplete="off"
          {...lastDay(rest.type)}
          {...rest}
          {...control}
          className={classes(controlClasses, className)}
        />
      )}
    </Field>
  )
}

/** With an end, the year has four digits; without one it takes six, and what is typed after it goes there. */
function lastDay(type: string | undefined): { readonly max?: string } {
  if (type === 'date') return { max: '9999-12-31' }
  return type === 'datetime-local' ? { max: '9999-12-31T23:59' } : {}
}

export function TextArea({
  label,
  hint,
  problem,
  hideLabel,
  className,
  ref,
  ...rest
}: FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement> & { ref?: Ref<HTMLTextAreaElement> }) {
  return (
    <Field label={label} {...fieldOf({ hint, problem, hideLabel })}>
      {(control) => (
        <textarea
          ref={ref}
          rows={4}
          {...rest}
          {...control}
          className={classes(controlClasses, 'resize-y', className)}
        />
      )}
    </Field>
  )
}

export function Select({
  label,
  hint,
  problem,
  hideLabel,
  className,
  options,
  ...rest
}: FieldProps &
  SelectHTMLAttributes<HTMLSelectElement> & {
    options: readonly (readonly [value: string, label: string])[]
  }) {
  return (
    <Field label={label} {...fieldOf({ hint, problem, hideLabel })}>
      {(control) => (
        <div className="relative">
          <select
            {...rest}
            {...control}
            className={classes(controlClasses, 'appearance-none pe-8', className)}
          >
            {options.map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
          <ChevronDown
            size={14}
            aria-hidden
            className="pointer-events-none absolute end-2.5 top-1/2 -translate-y-1/2 text-ink-2"
          />
        </div>
      )}
    </Field>
  )
}

function fieldOf({
  hint,
  problem,
  hideLabel,
}: {
  hint: ReactNode
  problem: string | undefined
  hideLabel: boolean | undefined
}) {
  return {
    ...(hint === undefined ? {} : { hint }),
    ...(problem === undefined ? {} : { problem }),
    ...(hideLabel === undefined ? {} : { hideLabel }),
  }
}
