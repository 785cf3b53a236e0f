/** Owns links within the app, and to its things. */
import type { MouseEvent, ReactNode } from 'react'
import { usePreload } from '../environment/location.tsx'
import { useGo } from '../environment/route.ts'
import { type ButtonVariant, buttonClasses } from './button.tsx'
import { classes } from './classes.ts'

export interface LinkProps {
  /** A path of this app, with its search if it has one: `/activity/run_1?view=raw`. */
  readonly to: string
  readonly children: ReactNode
  readonly className?: string | undefined
  readonly 'aria-label'?: string
  readonly 'aria-current'?: 'page' | 'true'
}

export function Link({ to, className, children, ...rest }: LinkProps) {
  return (
    <PlainLink
      to={to}
      {...rest}
      className={classes(
        'py-[5px] text-act underline underline-offset-2 decoration-act/40 hover:decoration-act',
        // A thumb hits what is beside the words too.
        'pointer-coarse:relative pointer-coarse:after:absolute pointer-coarse:after:-inset-x-2 pointer-coarse:after:-inset-y-2',
        className,
      )}
    >
      {children}
    </PlainLink>
  )
}

export function ButtonLink({
  to,
  variant = 'plain',
  children,
  className,
  ...rest
}: LinkProps & { variant?: ButtonVariant }) {
  return (
    <PlainLink to={to} {...rest} className={classes(buttonClasses(variant), className)}>
      {children}
    </PlainLink>
  )
}

/** Without a look of its own, for rows and cards. A click with a modifier is the browser's. */
export function PlainLink({ to, children, ...rest }: LinkProps) {
  const go = useGo()
  const preload = usePreload()
  const onClick = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    go(to)
  }
  return (
    <a href={to} onClick={onClick} onPointerEnter={() => preload(to)} onFocus={() => preload(to)} {...rest}>
      {children}
    </a>
  )
}
