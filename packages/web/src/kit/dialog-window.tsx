/** Draws a window over the page. Fetched when the first one is opened. */

import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { words } from '../words/common.ts'
import { classes } from './classes.ts'
import type { DialogProps } from './dialog.tsx'
import { ModalKeys } from './modal-keys.ts'

const widths = { small: 'sm:max-w-md', medium: 'sm:max-w-xl', large: 'sm:max-w-4xl' } as const

export default function DialogWindow({
  open,
  onClose,
  title,
  description,
  children,
  actions,
  size = 'medium',
  place = 'middle',
  focus,
}: DialogProps) {
  return (
    <Base.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-shade" />
        <Base.Popup
          {...(focus === undefined ? {} : { initialFocus: focus })}
          className={classes(
            'appear fixed z-50 flex max-h-[90dvh] w-full flex-col border border-line bg-sheet shadow-2 outline-none',
            'inset-x-0 bottom-0 rounded-t-2 pb-[env(safe-area-inset-bottom)]',
            place === 'middle'
              ? classes(
                  'sm:inset-x-auto sm:bottom-auto sm:start-1/2 sm:top-[12dvh] sm:max-h-[76dvh] sm:-translate-x-1/2 sm:rounded-2 rtl:sm:translate-x-1/2',
                  widths[size],
                )
              : 'sm:inset-y-0 sm:start-auto sm:end-0 sm:max-h-none sm:max-w-md sm:rounded-none',
          )}
        >
          <ModalKeys />
          <div className="flex items-start gap-3 px-5 pt-4 pb-2">
            <div className="min-w-0 flex-1">
              <Base.Title className="text-large font-bold">{title}</Base.Title>
              {description === undefined ? null : (
                <Base.Description className="mt-1 text-ink-2">{description}</Base.Description>
              )}
            </div>
            <Base.Close className="target -my-1.5 -me-2 inline-flex items-center gap-1 rounded-1 px-2 py-1 text-small text-ink-2 hover:bg-ink/5">
              <X size={16} aria-hidden />
              {words.close}
            </Base.Close>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 pb-4">{children}</div>
          {actions === undefined ? null : (
            <div className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{actions}</div>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
