/** In which time zone days begin and new automations run. Another one holds from the next start on, which it says. */

import { isZone, type TimeZoneView } from '@countersign/contract'
import { useChange, useGateway } from '../../environment/queries.ts'
import { Button, Loaded, Safe, Sheet, useForm, useNotify, ZoneField } from '../../kit/index.ts'
import { words } from '../../words/settings.tsx'

export function TimeZone() {
  const zone = useGateway(['time-zone'], (client) => client.timeZone())
  return <Loaded query={zone}>{(known) => <ZoneForm key={known.next} known={known} />}</Loaded>
}

function ZoneForm({ known }: { known: TimeZoneView }) {
  const notify = useNotify()
  const form = useForm({ zone: known.next }, ({ zone }) => ({
    zone: isZone(zone.trim()) ? undefined : words.you.zoneUnknown,
  }))
  const save = useChange((client, zone: string) => client.setTimeZone(zone), [['time-zone']])
  const submit = () => {
    if (!form.check()) return
    save.mutate(form.values.zone.trim(), {
      onSuccess: ({ ledger }) => notify({ text: words.you.zoneSaved(ledger) }),
      onError: (error) => notify({ text: error.message, tone: 'bad' }),
    })
  }
  return (
    <Sheet>
      <form
        className="space-y-3"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <ZoneField
          label={words.you.zoneTitle}
          hint={words.you.zoneHint}
          disabled={known.fixed !== null}
          {...form.field('zone')}
        />
        {known.fixed === null ? null : (
          <p className="text-small text-ink-2">
            <Safe text={known.fixed} />
          </p>
        )}
        {known.next === known.zone ? null : <p role="status">{words.you.zoneNext(known.zone, known.next)}</p>}
        <p className="text-small text-ink-2">
          {words.you.zone(Intl.DateTimeFormat().resolvedOptions().timeZone)}
        </p>
        <Button type="submit" busy={save.isPending} disabled={!form.isChanged || known.fixed !== null}>
          {words.you.save}
        </Button>
      </form>
    </Sheet>
  )
}
