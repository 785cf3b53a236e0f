/** What is done in order on another computer or in a terminal: shown, and there to be copied. */
import type { ReactNode } from 'react'
import { CopyButton, Mono } from '../../kit/index.ts'

export function Steps({ children }: { children: ReactNode }) {
  return <ol className="list-decimal space-y-1.5 ps-5">{children}</ol>
}

/** Shown too, since it is typed on another computer. */
export function ShownCommand({ text }: { text: string }) {
  return (
    <span className="flex flex-wrap items-center gap-x-1">
      <Mono text={text} className="break-all" /> <CopyButton text={text} size="small" />
    </span>
  )
}
