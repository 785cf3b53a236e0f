/** Tries a provider with one small call, and shows what came of it. */
import type { ProviderTested, ProviderView } from '@countersign/contract'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { useChange, useModels } from '../../environment/queries.ts'
import { Button, Dialog, Facts, FormError, Money, Safe, Select } from '../../kit/index.ts'
import { lengthWords } from '../../language/format.ts'
import { words } from '../../words/models.tsx'
import { touched } from './model-queries.ts'

export function TestProvider({
  provider: { name },
  onClose,
}: {
  provider: ProviderView
  onClose: () => void
}) {
  const models = useModels()
  const [model, setModel] = useState('')
  const test = useChange((client) => client.testProvider(name, model === '' ? undefined : model), touched)
  const own = (models.data ?? []).filter(({ provider }) => provider === name)
  return (
    <Dialog
      open
      title={words.testTitle(name)}
      description={words.testAbout}
      onClose={onClose}
      actions={
        <>
          <Button variant="quiet" onClick={onClose}>
            {words.close}
          </Button>
          <Button variant="go" busy={test.isPending} onClick={() => test.mutate()}>
            {test.isPending ? words.testing : test.data === undefined ? words.test : words.testAgain}
          </Button>
        </>
      }
    >
      <div className="space-y-4">
        <Select
          label={words.model}
          value={model}
          onChange={(event) => setModel(event.target.value)}
          options={[['', words.usualModel], ...own.map((each) => [each.model, each.title] as const)]}
        />
        <div role="status">
          {test.data === undefined || test.isPending ? null : <Outcome tested={test.data} />}
        </div>
        {test.error === null ? null : <FormError error={test.error} />}
      </div>
    </Dialog>
  )
}

function Outcome({ tested }: { tested: ProviderTested }) {
  const Icon = tested.ok ? CircleCheck : CircleAlert
  return (
    <>
      <p className="flex items-center gap-2 font-medium">
        <Icon size={18} aria-hidden className={tested.ok ? 'text-ok' : 'text-bad'} />
        {tested.ok ? words.answersIn(lengthWords(tested.totalMs)) : words.doesNotAnswer}
      </p>
      <Facts
        className="mt-2"
        rows={[
          [words.problem, tested.problem === null ? null : <Safe key="problem" text={tested.problem} />],
          [words.next, tested.next === null ? null : <Safe key="next" text={tested.next} />],
          [words.model, <Safe key="model" text={tested.model} />],
          [words.said, tested.text === '' ? null : <Safe key="said" text={tested.text} />],
          [words.canUseTools, tested.tools === null ? null : tested.tools ? words.yes : words.no],
          [words.cost, <Money key="cost" usd={tested.usd} />],
        ]}
      />
    </>
  )
}
