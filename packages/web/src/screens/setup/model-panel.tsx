/** The third step: who answers. What was found comes first; a key is tried at once; the demo needs none. */

import type { ChosenModel, Onboarding, ProviderKind, SetupAnswer, SetupStepOf } from '@countersign/contract'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { Facts, Money, Mono, Safe, Select, Sheet, TextField } from '../../kit/index.ts'
import { words } from '../../words/setup.tsx'
import { useStepFlow } from './flow.ts'
import { OptionCards } from './option-cards.tsx'
import { StepFrame } from './step-frame.tsx'

type ModelPick = 'current' | 'key' | 'demo' | `found:${string}`

export function ModelPanel({ view }: { view: Onboarding }) {
  const flow = useStepFlow(view, 'model')
  const { data } = flow.step
  const [picked, setPicked] = useState<ModelPick>(firstPick(data))
  const [kind, setKind] = useState<ProviderKind>(data.kinds[0]?.kind ?? 'anthropic')
  const [key, setKey] = useState('')
  const answer = answerOf(picked, kind, key)
  const keeps = data.chosen !== null && picked === 'current'
  return (
    <StepFrame
      step={flow.step}
      busy={flow.busy}
      problem={flow.problem}
      back={flow.back}
      onSkip={flow.skip}
      onContinue={
        keeps ? flow.forward : answer === null ? null : () => flow.answer(answer, () => setPicked('current'))
      }
      continueLabel={flow.busy ? words.model.trying : keeps ? words.continue : words.model.tryIt}
    >
      {data.chosen === null ? null : <Chosen chosen={data.chosen} />}
      <OptionCards
        label={words.model.which}
        columns={2}
        value={picked}
        onChange={setPicked}
        options={[
          ...(data.current === null
            ? []
            : [
                {
                  value: 'current' as const,
                  title: words.model.current,
                  about: <Mono text={data.current} />,
                },
              ]),
          ...data.detected.map((found) => ({
            value: `found:${found.name}` as const,
            title: <Safe text={found.title} />,
            about:
              found.variable === null
                ? words.model.runsAt(<Mono text={found.url ?? ''} />)
                : words.model.keyIn(<Mono text={found.variable} />),
          })),
          {
            value: 'key',
            title: words.model.paste,
            about: words.model.pasteAbout,
          },
          {
            value: 'demo',
            title: words.model.demo,
            about: words.model.demoAbout,
          },
        ]}
      />
      {picked === 'key' ? (
        <div className="mt-4 grid max-w-2xl gap-4 sm:grid-cols-[12rem_1fr]">
          <Select
            label={words.model.provider}
            value={kind}
            options={data.kinds.map((each) => [each.kind, each.title] as const)}
            onChange={(event) => setKind(event.target.value as ProviderKind)}
          />
          <TextField
            label={words.model.key}
            type="password"
            autoComplete="off"
            spellCheck={false}
            value={key}
            onChange={(event) => setKey(event.target.value)}
            hint={words.model.keyHint}
          />
        </div>
      ) : null}
    </StepFrame>
  )
}

function Chosen({ chosen }: { chosen: ChosenModel }) {
  const { price } = chosen
  return (
    <Sheet className="mb-5">
      <p className="flex items-center gap-2 font-medium">
        <CircleCheck size={18} aria-hidden className="text-ok" />
        <span>{words.model.answers(<Safe text={chosen.ref} />)}</span>
      </p>
      <Facts
        className="mt-2"
        rows={[
          [
            words.model.price,
            price === null
              ? words.model.priceUnknown
              : price.input === 0 && price.output === 0
                ? words.model.free
                : words.model.perMillion(<Money usd={price.input} />, <Money usd={price.output} />),
          ],
          [
            words.model.firstWord,
            words.model.times(Math.round(chosen.firstTokenMs ?? chosen.totalMs), Math.round(chosen.totalMs)),
          ],
          [words.model.testCost, <Money key="usd" usd={chosen.usd} />],
          [words.model.said, <Safe key="text" text={chosen.text} />],
        ]}
      />
    </Sheet>
  )
}

function firstPick({ current, detected }: SetupStepOf<'model'>['data']): ModelPick {
  if (current !== null) return 'current'
  return detected[0] === undefined ? 'key' : `found:${detected[0].name}`
}

function answerOf(picked: ModelPick, kind: ProviderKind, key: string): SetupAnswer<'model'> | null {
  if (picked === 'demo' || picked === 'current') return { choice: picked }
  if (picked === 'key') return key.trim() === '' ? null : { choice: 'key', kind, key: key.trim() }
  return { choice: 'detected', name: picked.slice('found:'.length) }
}
