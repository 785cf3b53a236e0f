/** The third step: who answers. What was found comes first; a key is tried at once; the demo needs none. */

import type { ChosenModel, Onboarding, ProviderKind, SetupAnswer, SetupStepOf } from '@countersign/contract'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { Facts, Money, Mono, Price, Safe, Select, Sheet, TextField } from '../../kit/index.ts'
import { words } from '../../words/setup.tsx'
import { useStepFlow } from './flow.ts'
import { kindOfKey } from './key-kind.ts'
import { OptionCards } from './option-cards.tsx'
import { StepFrame } from './step-frame.tsx'

type ModelPick = 'current' | 'key' | 'demo' | `found:${string}`

export function ModelPanel({ view }: { view: Onboarding }) {
  const flow = useStepFlow(view, 'model')
  const { data } = flow.step
  const [picked, setPicked] = useState<ModelPick>(firstPick(data))
  const [kind, setKind] = useState<ProviderKind>(data.kinds[0]?.kind ?? 'anthropic')
  const [key, setKey] = useState('')
  const [address, setAddress] = useState('')
  const [name, setName] = useState('')
  const answer = answerOf(picked, { kind, key, url: address, model: name })
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
        onChange={(next) => {
          setPicked(next)
          flow.forget()
        }}
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
            onChange={(event) => {
              setKey(event.target.value)
              const known = kindOfKey(event.target.value)
              if (data.kinds.some((each) => each.kind === known)) setKind(known as ProviderKind)
            }}
            hint={words.model.keyHint}
          />
          <TextField
            label={words.model.name}
            value={name}
            onChange={(event) => setName(event.target.value)}
            hint={words.model.nameHint}
          />
          <TextField
            label={words.model.address}
            type="url"
            value={address}
            onChange={(event) => setAddress(event.target.value)}
            hint={words.model.addressHint}
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
                : words.model.perMillion(<Price usd={price.input} />, <Price usd={price.output} />),
          ],
          [words.model.responded, words.model.ms(Math.round(chosen.totalMs))],
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

interface TypedModel {
  readonly kind: ProviderKind
  readonly key: string
  readonly url: string
  readonly model: string
}

function answerOf(picked: ModelPick, typed: TypedModel): SetupAnswer<'model'> | null {
  if (picked === 'demo' || picked === 'current') return { choice: picked }
  if (picked === 'key') {
    const [key, url, model] = [typed.key.trim(), typed.url.trim(), typed.model.trim()]
    // A server of one's own may need no key.
    if ((key === '' && url === '') || (url !== '' && !URL.canParse(url))) return null
    return {
      choice: 'key',
      kind: typed.kind,
      ...(key === '' ? {} : { key }),
      ...(url === '' ? {} : { url }),
      ...(model === '' ? {} : { model }),
    }
  }
  return { choice: 'detected', name: picked.slice('found:'.length) }
}
