/**
 * Owns windows over the page: in the middle, or from the edge. Focus goes in, stays in and comes back; Escape and the
 * backdrop close and never decide. Keys of the screen below are silent meanwhile.
 */
import { lazy, type ReactNode, type RefObject, Suspense, useRef } from 'react'
import { ModalKeys } from './modal-keys.ts'

export interface DialogProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: string
  /** One sentence under the title. */
  readonly description?: ReactNode
  readonly children?: ReactNode
  /** Buttons, the safe one first. */
  readonly actions?: ReactNode
  readonly size?: 'small' | 'medium' | 'large'
  /** `edge`: from the bottom on a phone, from the side elsewhere. */
  readonly place?: 'middle' | 'edge'
  /** What gets the focus. Never what approves. */
  readonly focus?: RefObject<HTMLElement | null> | undefined
}

const Window = lazy(() => import('./dialog-window.tsx'))

export function Dialog(props: DialogProps) {
  const used = useRef(false)
  used.current ||= props.open
  // After its first use it stays, so that it gives the focus back when it closes.
  if (!used.current) return null
  return (
    <Suspense fallback={<ModalKeys />}>
      <Window {...props} />
    </Suspense>
  )
}
