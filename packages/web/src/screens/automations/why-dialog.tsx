/** Why an automation did not run on a day, from its trigger to what came of it. */
import type { ScheduleView } from '@countersign/contract'
import { useState } from 'react'
import { useGateway } from '../../environment/queries.ts'
import { useServices } from '../../environment/services.tsx'
import { Dialog, Loaded, Safe, TextField, Time } from '../../kit/index.ts'
import { words } from '../../words/automations.tsx'

export function WhyDialog({ schedule, onClose }: { schedule: ScheduleView; onClose: () => void }) {
  const { now } = useServices()
  const [day, setDay] = useState(() => dayOf(now()))
  const why = useGateway(['schedules', schedule.id, 'why-not', day], (client) =>
    client.whyNot(schedule.id, { day }),
  )
  return (
    <Dialog open onClose={onClose} title={words.why.title(schedule.name)}>
      <div className="space-y-4">
        <TextField
          type="date"
          label={words.why.day}
          value={day}
          onChange={({ target }) => target.value !== '' && setDay(target.value)}
        />
        <Loaded query={why}>
          {({ answer, trace }) => (
            <>
              <p className="text-large font-medium">
                <Safe text={answer} />
              </p>
              <section>
                <h3 className="mb-1 text-small font-[600] text-ink-2">{words.why.steps}</h3>
                <ol className="space-y-1.5">
                  {trace.map((step) => (
                    <li key={`${step.step} ${step.sentence}`} className="flex gap-3">
                      <span className="min-w-0 flex-1">
                        <Safe text={step.sentence} />
                      </span>
                      <Time at={step.at} className="text-small text-ink-3" />
                    </li>
                  ))}
                </ol>
              </section>
            </>
          )}
        </Loaded>
      </div>
    </Dialog>
  )
}

/** As a field for dates has it, where the browser is. */
function dayOf(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}
