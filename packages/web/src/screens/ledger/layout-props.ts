/** Owns what both layouts of the ledger are given. */
import type { ReactNode, Ref } from 'react'
import type { LedgerEntries } from './entries.ts'
import type { Exporting } from './exporting.ts'
import type { Verification } from './verification.ts'

export interface LayoutProps {
  readonly q: string
  readonly input: Ref<HTMLInputElement>
  readonly onAsk: (q: string) => void
  readonly ledger: LedgerEntries
  readonly verification: Verification
  readonly exporting: Exporting
  readonly following: boolean
  readonly onFollow: (following: boolean) => void
  /** Whether calls to models are shown too. */
  readonly machine: boolean
  readonly onMachine: (machine: boolean) => void
  readonly current: number | null
  readonly hrefOf: (seq: number) => string
  readonly backTo: string
  /** Null where no entry is chosen. */
  readonly detail: ReactNode
}
