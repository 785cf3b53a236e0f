/** Owns how a form says that it could not be done: marked, with the cause and what to do about it. */
import { CountersignError, errorCatalogue } from '@countersign/contract'
import { CircleAlert } from 'lucide-react'

/** What a terminal says of wrong arguments names a command, and the message says already what is wrong. */
export function nextOf(error: Error): string {
  if (!(error instanceof CountersignError)) return ''
  const { code, next } = error
  return next === errorCatalogue.usage.next && code === 'usage' ? '' : next.replaceAll('`', '')
}

export function FormError({ error }: { error: Error }) {
  const next = nextOf(error)
  return (
    <div role="alert" className="flex items-start gap-2.5 rounded-1 bg-bad-soft px-3 py-2.5 text-bad">
      <CircleAlert size={16} strokeWidth={1.75} aria-hidden className="mt-0.5 shrink-0" />
      <div className="min-w-0">
        <p className="font-medium">{error.message}</p>
        {next === '' ? null : <p className="mt-0.5 text-small text-ink-2">{next}</p>}
      </div>
    </div>
  )
}
