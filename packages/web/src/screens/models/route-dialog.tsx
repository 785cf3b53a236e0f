/** Chooses the models of one use: how one is picked, and of which, in order. */
import { type RouteView, Strategy } from '@countersign/contract'
import { ArrowUp, X } from 'lucide-react'
import { useState } from 'react'
import { useChange, useModels } from '../../environment/queries.ts'
import { Button, FormDialog, Safe, Select, useForm, useNotify } from '../../kit/index.ts'
import { words } from '../../words/models.tsx'
import { touched } from './model-queries.ts'

export function RouteDialog({ route, onClose }: { route: RouteView; onClose: () => void }) {
  const notify = useNotify()
  const models = useModels()
  const form = useForm({ strategy: route.strategy })
  const [chosen, setChosen] = useState<readonly string[]>(route.models)
  const change = useChange(
    (client) => client.setRoute(route.purpose, { strategy: form.values.strategy, models: [...chosen] }),
    touched,
  )
  const others = (models.data ?? []).filter(({ ref }) => !chosen.includes(ref))
  return (
    <FormDialog
      title={words.changeUse(words.purposes[route.purpose])}
      description={words.purposesAbout[route.purpose]}
      form={form}
      submit={words.save}
      onClose={onClose}
      onSubmit={async () => {
        const { route: changed, ledger } = await change.mutateAsync()
        notify({ text: words.routed(words.purposes[route.purpose], changed.next ?? words.noModel, ledger) })
      }}
    >
      <Select
        label={words.chosenBy}
        options={Strategy.options.map((each) => [each, words.strategies[each]] as const)}
        {...form.field('strategy')}
      />
      <ChosenModels chosen={chosen} onChange={setChosen} />
      <Select
        label={words.addModel}
        value=""
        hint={chosen.length === 0 ? words.anyModelHint : undefined}
        onChange={(event) => {
          if (event.target.value !== '') setChosen([...chosen, event.target.value])
        }}
        options={[['', words.pickModel], ...others.map(({ ref }) => [ref, ref] as const)]}
      />
    </FormDialog>
  )
}

function ChosenModels({
  chosen,
  onChange,
}: {
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}) {
  if (chosen.length === 0) return null
  return (
    <ol className="divide-y divide-line rounded-1 border border-line">
      {chosen.map((ref, place) => (
        <li key={ref} className="flex items-center gap-1 px-3 py-1.5">
          <span className="min-w-0 flex-1 break-all">
            <Safe text={ref} />
          </span>
          <Button
            type="button"
            variant="quiet"
            size="small"
            icon={ArrowUp}
            disabled={place === 0}
            aria-label={words.moveUp(ref)}
            onClick={() => onChange(movedUp(chosen, place))}
          />
          <Button
            type="button"
            variant="quiet"
            size="small"
            icon={X}
            aria-label={words.takeOff(ref)}
            onClick={() => onChange(chosen.filter((each) => each !== ref))}
          />
        </li>
      ))}
    </ol>
  )
}

/** Changes places with the one before it. Pure. */
export function movedUp(list: readonly string[], place: number): readonly string[] {
  const before = list[place - 1]
  const moved = list[place]
  if (before === undefined || moved === undefined) return list
  return list.with(place - 1, moved).with(place, before)
}
