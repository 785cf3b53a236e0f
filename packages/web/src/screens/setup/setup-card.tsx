/** The card on Today while the first run is not over: how far it is, and the next step. Nothing once it is. */

import { useGateway } from '../../environment/queries.ts'
import { ButtonLink, Meter, Sheet } from '../../kit/index.ts'
import { words } from '../../words/setup.tsx'

export function SetupCard({ className }: { className?: string }) {
  const { data } = useGateway(['onboarding', 'summary'], (client) => client.onboardingSummary())
  if (data === undefined || data.next === null) return null
  const next = data.steps.find(({ id }) => id === data.next)?.title ?? ''
  const count = words.card.of(data.settled, data.total)
  return (
    <Sheet className={className ?? ''}>
      <div className="flex flex-wrap items-end gap-x-5 gap-y-3">
        <div className="min-w-56 flex-1">
          <h2 className="mb-1 text-base font-medium">{words.card.title}</h2>
          <Meter label={words.card.next(next)} value={data.settled} of={data.total} words={count} />
        </div>
        <ButtonLink to={`/setup/${data.next}`}>{words.card.continue}</ButtonLink>
      </div>
    </Sheet>
  )
}
