/** Says above every screen that the ledger is not the one that was seen before: here, or by another witness. */
import { OctagonAlert } from 'lucide-react'
import { useWitnessMemory } from '../environment/ledger-witness.ts'
import { useStatus } from '../environment/queries.ts'
import { Link, Safe } from '../kit/index.ts'
import { words } from '../words/witness.tsx'

export default function LedgerWatch() {
  const trouble = useWitnessMemory()?.trouble ?? null
  const { data: status } = useStatus()
  const stopped = status?.ledger.alarm === true
  if (trouble === null && !stopped) return null
  return (
    <div
      role="alert"
      className="flex items-start gap-2.5 border-b-2 border-bad bg-bad-soft px-4 py-3 text-bad md:px-5"
    >
      <OctagonAlert size={20} strokeWidth={1.75} aria-hidden className="mt-0.5 shrink-0" />
      <div className="min-w-0">
        <strong className="font-medium">{words.banner.title}</strong>{' '}
        {trouble === null ? null : words.banner.here(<Safe text={trouble.reason} />)}{' '}
        {stopped ? words.banner.stopped : words.banner.careful} <Link to="/health">{words.banner.open}</Link>
      </div>
    </div>
  )
}
