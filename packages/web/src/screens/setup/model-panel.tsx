/** The third step: who answers. What was found comes first; a key is tried at once; the demo needs none. */
import type { ChosenModel, Onboarding, ProviderKind, SetupAnswer, SetupStepOf } from '@countersign/contract'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { Facts, Money, Mono, Safe, Select, Sheet, TextField } from '../../kit/index.ts'
import { useStepFlow } from './flow.ts'
import { OptionCards } from './option-cards.tsx'
import { StepFrame } from './step-frame.tsx'

type Picked = 'current' | 'key' | 'demo' | `found:${string}`

export function ModelPanel({ view }: { view: Onboarding }) {
  const flow = useStepFlow(view, 'model')
  const { data } = flow.step
  const [picked, setPicked] = useState<Picked>(firstPick(data))
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
      continueLabel={flow.busy ? 'Trying it…' : keeps ? 'Continue' : 'Try it'}
    >
      {data.chosen === null ? null : <Chosen chosen={data.chosen} />}
      <OptionCards
        label="Which model?"
        columns={2}
        value={picked}
        onChange={setPicked}
        options={[
          ...(data.current === null
            ? []
            : [{ value: 'current' as const, title: 'What is set up', about: <Mono text={data.current} /> }]),
          ...data.detected.map((found) => ({
            value: `found:${found.name}` as const,
            title: <Safe text={found.title} />,
            about:
              found.variable === null ? (
                <>
                  Runs on this computer at <Mono text={found.url ?? ''} />
                </>
              ) : (
                <>
                  A key lies in <Mono text={found.variable} />. It goes into the vault.
                </>
              ),
          })),
          {
            value: 'key',
            title: 'Paste a key',
            about: 'Of a provider where you have an account. Kept in the vault.',
          },
          {
            value: 'demo',
            title: 'Try without a model',
            about: 'A demo with fixed rules. No key, no network, no cost. It understands a few sentences.',
          },
        ]}
      />
      {picked === 'key' ? (
        <div className="mt-4 grid max-w-2xl gap-4 sm:grid-cols-[12rem_1fr]">
          <Select
            label="Provider"
            value={kind}
            options={data.kinds.map((each) => [each.kind, each.title] as const)}
            onChange={(event) => setKind(event.target.value as ProviderKind)}
          />
          <TextField
            label="Key"
            type="password"
            autoComplete="off"
            spellCheck={false}
            value={key}
            onChange={(event) => setKey(event.target.value)}
            hint="One small call is made with it at once. No agent ever sees it."
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
        <span>
          <Safe text={chosen.ref} /> answers
        </span>
      </p>
      <Facts
        className="mt-2"
        rows={[
          [
            'Price',
            price === null ? (
              'Unknown; it counts as dear'
            ) : price.input === 0 && price.output === 0 ? (
              'Free'
            ) : (
              <>
                <Money usd={price.input} /> in, <Money usd={price.output} /> out, for a million tokens
              </>
            ),
          ],
          [
            'First word after',
            `${String(Math.round(chosen.firstTokenMs ?? chosen.totalMs))} ms, ${String(Math.round(chosen.totalMs))} ms in all`,
          ],
          ['This test cost', <Money key="usd" usd={chosen.usd} />],
          ['It said', <Safe key="text" text={chosen.text} />],
        ]}
      />
    </Sheet>
  )
}

function firstPick({ current, detected }: SetupStepOf<'model'>['data']): Picked {
  if (current !== null) return 'current'
  return detected[0] === undefined ? 'key' : `found:${detected[0].name}`
}

function answerOf(picked: Picked, kind: ProviderKind, key: string): SetupAnswer<'model'> | null {
  if (picked === 'demo' || picked === 'current') return { choice: picked }
  if (picked === 'key') return key.trim() === '' ? null : { choice: 'key', kind, key: key.trim() }
  return { choice: 'detected', name: picked.slice('found:'.length) }
}
