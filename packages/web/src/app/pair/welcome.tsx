/** The page that is shown to who is not in yet. */
import type { ReactNode } from 'react'
import { Stamp } from '../../kit/stamp.tsx'

export function Welcome({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="mx-auto flex min-h-dvh max-w-xl flex-col px-5 pt-[10dvh] pb-12">
      <div className="mb-8 flex items-center gap-2.5">
        <Stamp size={28} />
        <span className="text-large font-bold">Countersign</span>
      </div>
      <main>
        <h1 className="mb-2">{title}</h1>
        {children}
      </main>
    </div>
  )
}

/** A button here stands without the app around it. */
export const welcomeButton =
  'target inline-flex items-center justify-center gap-2 rounded-1 border px-4 py-2 font-medium border-line-strong bg-sheet hover:border-edge aria-disabled:opacity-60'
export const welcomeAction =
  'target inline-flex items-center justify-center gap-2 rounded-1 border px-4 py-2 font-medium border-act bg-act text-act-ink hover:brightness-110 aria-disabled:opacity-60'
