/** Owns how a form says that it could not be done: marked, with the cause and what to do about it. */
import { CircleAlert } from 'lucide-react'
import { nextStep } from './next-step.ts'

export function FormError({ error }: { error: Error }) {
  const next = nextStep(error)
  return (
    <div role="alert" className="flex items-start gap-2.5 rounded-1 bg-bad-soft px-3 py-2.5 text-bad">
      <CircleAlert size={16} strokeWidth={1.75} aria-hidden className="mt-0.5 shrink-0" />
      <div className="min-w-0">
        <p className="font-medium">{error.message}</p>
        {next === null ? null : <p className="mt-0.5 text-small text-ink-2">{next}</p>}
      </div>
    </div>
  )
}
