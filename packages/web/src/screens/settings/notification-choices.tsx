/** What this device is notified of, and when it is left alone. */

import { NotificationKind, type PushPreferences } from '@countersign/contract'
import { useChange, useGateway } from '../../environment/queries.ts'
import { Checkbox, TextField, Toggle, useNotify } from '../../kit/index.ts'
import { words } from '../../words/settings.tsx'

const usualQuiet = { from: '22:00', to: '07:00' }

export function NotificationChoices() {
  const notify = useNotify()
  const push = useGateway(['push', 'preferences'], (client) => client.pushKey())
  const save = useChange(
    (client, preferences: PushPreferences) => client.setPushPreferences(preferences),
    [['push']],
  )
  const known = save.isPending ? save.variables : push.data?.preferences
  if (!known) return null
  const change = (part: Partial<PushPreferences>) =>
    save.mutate({ ...known, ...part }, { onError: (error) => notify({ text: error.message, tone: 'bad' }) })
  return (
    <>
      <fieldset>
        <legend className="mb-1 font-medium">{words.notifications.kindsTitle}</legend>
        {NotificationKind.options.map((kind) => (
          <Checkbox
            key={kind}
            label={words.notifications.kinds[kind]}
            checked={known.kinds.includes(kind)}
            onChange={(wanted) =>
              change({ kinds: [...known.kinds.filter((each) => each !== kind), ...(wanted ? [kind] : [])] })
            }
          />
        ))}
      </fieldset>
      <QuietHours quiet={known.quiet} onChange={(quiet) => change({ quiet })} />
    </>
  )
}

function QuietHours({
  quiet,
  onChange,
}: {
  quiet: PushPreferences['quiet']
  onChange: (quiet: PushPreferences['quiet']) => void
}) {
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions()
  const set = (part: 'from' | 'to', time: string) => {
    if (quiet === null || time === '' || time === quiet[part === 'from' ? 'to' : 'from']) return
    onChange({ ...quiet, [part]: time })
  }
  return (
    <>
      <Toggle
        label={words.notifications.quiet}
        hint={words.notifications.quietHint}
        checked={quiet !== null}
        onChange={(on) => onChange(on ? { ...usualQuiet, zone } : null)}
      />
      {quiet === null ? null : (
        <div className="flex flex-wrap items-end gap-3">
          <TextField
            type="time"
            label={words.notifications.quietFrom}
            value={quiet.from}
            onChange={(event) => set('from', event.target.value)}
          />
          <TextField
            type="time"
            label={words.notifications.quietTo}
            value={quiet.to}
            onChange={(event) => set('to', event.target.value)}
          />
          <p className="text-small text-ink-2">{words.notifications.quietZone(quiet.zone)}</p>
        </div>
      )}
    </>
  )
}
