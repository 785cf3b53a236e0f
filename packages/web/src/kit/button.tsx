/** Owns buttons. `go` is for the one action of a screen; its colour appears nowhere else. */
import type { LucideIcon } from 'lucide-react'
import type { ButtonHTMLAttributes, KeyboardEvent, ReactNode, Ref } from 'react'
import { keysForAria } from '../environment/keymap.ts'
import { isMac } from '../environment/keys.tsx'
import { classes } from './classes.ts'
import { KeyHint } from './key-hint.tsx'

export type ButtonVariant = 'plain' | 'go' | 'quiet' | 'danger'

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly variant?: ButtonVariant
  readonly size?: 'small' | 'medium' | 'large'
  readonly icon?: LucideIcon | undefined
  /** Shown beside the words. Registering the key is the screen's, by `useKeys`. */
  readonly keys?: string | undefined
  /** Something is under way: it can be focused, and does nothing. */
  readonly busy?: boolean | undefined
  readonly ref?: Ref<HTMLButtonElement>
  readonly children?: ReactNode
}

const variants: Readonly<Record<ButtonVariant, string>> = {
  plain: 'border-line-strong bg-sheet text-ink hover:border-edge',
  go: 'border-act bg-act text-act-ink hover:brightness-110',
  quiet: 'border-transparent bg-transparent text-ink-2 hover:bg-ink/5 hover:text-ink',
  danger: 'border-line-strong bg-sheet text-bad hover:border-bad',
}

const sizes = {
  small: 'px-2 py-0.5 text-small',
  medium: 'px-3 py-1.5 text-small',
  large: 'px-4 py-2.5 text-base',
} as const

export function buttonClasses(variant: ButtonVariant = 'plain', size: keyof typeof sizes = 'medium'): string {
  return classes(
    'target inline-flex items-center justify-center gap-2 rounded-1 border font-medium leading-5 no-underline whitespace-nowrap',
    'transition-[filter,border-color,background-color] duration-[120ms] select-none',
    'disabled:opacity-50 aria-disabled:opacity-60',
    // What a thumb may miss around a link ends where a button begins.
    'pointer-coarse:relative pointer-coarse:z-1',
    variants[variant],
    sizes[size],
  )
}

export function Button({
  variant = 'plain',
  size = 'medium',
  icon: Icon,
  keys,
  busy = false,
  className,
  children,
  onClick,
  onKeyDown,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      {...(busy ? { 'aria-disabled': true, 'aria-busy': true } : {})}
      {...(keys === undefined ? {} : { 'aria-keyshortcuts': keysForAria(keys, isMac()) })}
      onClick={busy ? undefined : onClick}
      onKeyDown={(event) => {
        if (isHeld(event)) event.preventDefault()
        onKeyDown?.(event)
      }}
      className={classes(buttonClasses(variant, size), className)}
    >
      {Icon === undefined ? null : (
        <Icon size={16} strokeWidth={1.75} aria-hidden className="-ms-0.5 shrink-0" />
      )}
      {children}
      {keys === undefined ? null : <KeyHint keys={keys} inButton />}
    </button>
  )
}

/** A key that is held presses a button once, whatever the button has become meanwhile. */
function isHeld({ key, repeat }: KeyboardEvent): boolean {
  return repeat && (key === 'Enter' || key === ' ')
}
