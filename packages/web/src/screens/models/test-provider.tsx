/** Tries a provider with one small call, or with words of one's own, and shows what came of it. */
import { longestTestPrompt, type ProviderTested, type ProviderView } from '@countersign/contract'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { useChange, useModels } from '../../environment/queries.ts'
import {
  Button,
  Dialog,
  Facts,
  FormError,
  Money,
  Safe,
  SafeBlock,
  Select,
  TextArea,
} from '../../kit/index.ts'
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
  const [prompt, setPrompt] = useState('')
  const test = useChange(
    (client) => client.testProvider(name, model || undefined, prompt.trim() || undefined),
    touched,
  )
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
        <TextArea
          label={words.ownWords}
          hint={words.ownWordsHint}
          rows={3}
          maxLength={longestTestPrompt}
          value={prompt}
          onChange={(event) => setPrompt(event.target.value)}
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
          [words.said, tested.text === '' ? null : <SafeBlock key="said" text={tested.text} />],
          [
            words.firstWord,
            tested.firstTokenMs === null ? null : words.after(lengthWords(tested.firstTokenMs)),
          ],
          [words.tokens, tested.ok ? words.tokensUsed(tested.tokens.input, tested.tokens.output) : null],
          [words.canUseTools, tested.tools === null ? null : tested.tools ? words.yes : words.no],
          [words.cost, <Money key="cost" usd={tested.usd} />],
        ]}
      />
    </>
  )
}
