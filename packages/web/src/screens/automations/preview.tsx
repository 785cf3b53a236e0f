/** How what was written is understood, before anything is saved: the trigger in words, and the next times. */
import type { Trigger } from '@countersign/contract'
import { useDeferredValue } from 'react'
import { useGateway } from '../../environment/queries.ts'
import { Safe } from '../../kit/index.ts'
import { words } from '../../words/automations.tsx'
import { NextTimes } from './next-time.tsx'

export function TriggerPreview({ trigger, task }: { trigger: Trigger; task?: string | undefined }) {
  const asked = useDeferredValue(trigger)
  const preview = useGateway(['schedules', 'preview', asked], (client) =>
    client.previewSchedule({ name: 'preview', trigger: asked, does: { kind: 'feed' } }),
  )
  if (preview.data === undefined) return null
  const { words: sentence, next } = preview.data
  return (
    <div role="status" className="rounded-1 bg-well px-3 py-2.5">
      <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[auto_1fr]">
        <dt className="text-small text-ink-3">{words.adding.understood}</dt>
        <dd>
          <Safe text={sentence} />
        </dd>
        {task === undefined ? null : (
          <>
            <dt className="text-small text-ink-3">{words.adding.does}</dt>
            <dd>
              <Safe text={task} />
            </dd>
          </>
        )}
        <dt className="text-small text-ink-3">{words.preview.next}</dt>
        <dd>{next.length === 0 ? words.preview.none : <NextTimes times={next} />}</dd>
      </dl>
    </div>
  )
}
