/** Owns menus: a button, and what it offers. What draws the offer is fetched when somebody reaches for it. */
import { ChevronDown, type LucideIcon } from 'lucide-react'
import { lazy, type ReactNode, Suspense, startTransition, useState } from 'react'
import { type ButtonVariant, buttonClasses } from './button.tsx'
import { classes } from './classes.ts'

export interface MenuItem {
  readonly label: string
  /** One more sentence, such as the exact limit of a grant. */
  readonly detail?: string | undefined
  readonly icon?: LucideIcon | undefined
  readonly keys?: string | undefined
  readonly disabled?: boolean | undefined
  readonly run: () => void
}

export interface MenuProps {
  readonly label: ReactNode
  readonly items: readonly MenuItem[]
  readonly variant?: ButtonVariant
  readonly className?: string | undefined
  readonly side?: 'top' | 'bottom'
}

const loadPopup = () => import('./menu-popup.tsx')
const Popup = lazy(loadPopup)

export function Menu(props: MenuProps) {
  const [wanted, setWanted] = useState<'by key' | 'by pointer' | null>(null)
  const { label, variant = 'quiet', className } = props
  const button = (
    <button
      type="button"
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={() => void loadPopup()}
      onFocus={() => void loadPopup()}
      // A click that a key made has no count. The button keeps the focus until the menu is there to take it.
      onClick={({ detail }) => startTransition(() => setWanted(detail === 0 ? 'by key' : 'by pointer'))}
      className={classes(buttonClasses(variant), className)}
    >
      {label}
      <ChevronDown size={14} aria-hidden />
    </button>
  )
  return (
    <Suspense fallback={button}>
      {wanted === null ? button : <Popup {...props} isOpenedByKey={wanted === 'by key'} />}
    </Suspense>
  )
}
