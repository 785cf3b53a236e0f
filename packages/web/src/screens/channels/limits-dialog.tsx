/** What a person may cause, changed. */
import type { PeerView } from '@countersign/contract'
import { useChange } from '../../environment/queries.ts'
import { Checkbox, FormDialog, Select, TextField, useForm, useNotify } from '../../kit/index.ts'
import { words } from '../../words/channels.tsx'
import { words as common } from '../../words/common.ts'
import { limitProblems, limitsIn, limitValues } from './peer-limits.ts'

const tiers = [0, 1, 2, 3] as const
const hoursTo = (most: number) =>
  Array.from({ length: most + 1 }, (_, hour) => [String(hour), `${hour}:00`] as const)

export function LimitsDialog({ peer, onClose }: { peer: PeerView; onClose: () => void }) {
  const notify = useNotify()
  const form = useForm(limitValues(peer.limits), limitProblems)
  const { channel, peer: id, name } = peer
  const store = useChange(
    (client) =>
      client.changePeer({ channel, peer: id, change: { kind: 'limit', limits: limitsIn(form.values) } }),
    [['peers']],
  )
  return (
    <FormDialog
      title={words.limits.title(name)}
      description={words.limits.about}
      form={form}
      submit={words.limits.save}
      onClose={onClose}
      onSubmit={async () => {
        const { ledger } = await store.mutateAsync()
        notify({ text: words.limits.done(name, ledger) })
      }}
    >
      <Select
        label={words.limits.tier}
        hint={words.limits.tierHint}
        options={tiers.map((tier) => [String(tier), `T${tier} ${common.tier.names[tier]}`] as const)}
        {...form.field('tier')}
      />
      <TextField label={words.limits.dailyUsd} inputMode="decimal" {...form.field('dailyUsd')} />
      <TextField
        label={words.limits.messagesPerHour}
        inputMode="numeric"
        {...form.field('messagesPerHour')}
      />
      <Checkbox label={words.limits.noTools} {...form.tick('noTools')} />
      {form.values.noTools ? null : (
        <TextField
          label={words.limits.tools}
          hint={words.limits.toolsHint}
          spellCheck={false}
          {...form.field('tools')}
        />
      )}
      <Checkbox label={words.limits.always} {...form.tick('always')} />
      {form.values.always ? null : (
        <div className="grid grid-cols-2 gap-3">
          <Select
            label={words.limits.from}
            hint={words.limits.hoursHint}
            options={hoursTo(23)}
            {...form.field('from')}
          />
          <Select label={words.limits.to} options={hoursTo(24)} {...form.field('to')} />
        </div>
      )}
    </FormDialog>
  )
}
