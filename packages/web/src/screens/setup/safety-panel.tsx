/** The fourth step: when it asks, and what a month may cost at most. */

import type { Autonomy, Onboarding, SafetyChoice } from '@countersign/contract'
import { useState } from 'react'
import { Safe, Select, Sheet, TextField } from '../../kit/index.ts'
import { words } from '../../words/setup.tsx'
import { stepOf, useStepFlow } from './flow.ts'
import { OptionCards } from './option-cards.tsx'
import { useSafetyProof } from './safety-proof.ts'
import { StepFrame } from './step-frame.tsx'

const sliderMost = 100

export function SafetyPanel({ view }: { view: Onboarding }) {
  const flow = useStepFlow(view, 'safety')
  const { data } = flow.step
  const [choice, setChoice] = useState<SafetyChoice>(data.chosen ?? 'boundaries')
  const [level, setLevel] = useState<Autonomy>(data.level)
  const [monthly, setMonthly] = useState(String(data.monthlyUsd))
  const [unattended, setUnattended] = useState(String(data.suggestedUnattendedUsd))
  const monthlyUsd = dollars(monthly)
  const unattendedUsd = dollars(unattended)
  const asksOf = (of: Autonomy) => data.levels.find((each) => each.level === of)?.asks ?? null
  const proof = useSafetyProof(data, stepOf(view, 'you').data.passkey)
  const wanted =
    choice === 'custom' ? level : (data.cards.find((card) => card.choice === choice)?.level ?? level)
  const isGood = monthlyUsd !== null && unattendedUsd !== null
  return (
    <StepFrame
      step={flow.step}
      busy={flow.busy || proof.busy}
      problem={proof.problem ?? flow.problem}
      back={flow.back}
      onSkip={flow.skip}
      onContinue={
        isGood
          ? () =>
              proof.given({ level: wanted, monthlyUsd, unattendedUsd }, (proven) =>
                flow.answer({
                  choice,
                  monthlyUsd,
                  unattendedUsd,
                  ...(choice === 'custom' ? { level } : {}),
                  ...proven,
                }),
              )
          : null
      }
    >
      <OptionCards
        label={words.safety.when}
        value={choice}
        onChange={setChoice}
        options={data.cards.map((card) => ({
          value: card.choice,
          title: card.title,
          about: card.about,
          foot: <Counter asks={card.level === null ? asksOf(level) : card.asks} />,
        }))}
      />
      {choice === 'custom' ? (
        <div className="mt-4 max-w-md">
          <Select
            label={words.safety.level}
            value={level}
            options={data.levels.map((each) => [each.level, each.level] as const)}
            onChange={(event) => setLevel(event.target.value as Autonomy)}
            hint={data.levels.find((each) => each.level === level)?.about ?? ''}
          />
        </div>
      ) : null}
      {data.fixed === null ? null : (
        <p className="mt-3 text-small text-t2">
          <Safe text={data.fixed} />
        </p>
      )}
      <Sheet className="mt-6 max-w-2xl">
        <h3>{words.safety.cost}</h3>
        <p className="mt-1 text-small text-ink-2">{words.safety.costAbout}</p>
        <div className="mt-3 grid gap-x-5 gap-y-3 sm:grid-cols-[1fr_8rem] sm:items-end">
          <label className="block">
            <span className="mb-1 block text-small font-medium text-ink-2">{words.safety.allWork}</span>
            <input
              type="range"
              min={0}
              max={sliderMost}
              step={1}
              value={Math.min(sliderMost, monthlyUsd ?? 0)}
              onChange={(event) => setMonthly(event.target.value)}
              aria-valuetext={words.safety.spoken(monthlyUsd ?? 0)}
              className="h-8 w-full accent-act"
            />
          </label>
          <TextField
            label={words.safety.perMonth}
            inputMode="decimal"
            value={monthly}
            onChange={(event) => setMonthly(event.target.value)}
            {...(monthlyUsd === null ? { problem: words.safety.number10 } : {})}
          />
          <p className="text-small text-ink-2 sm:pb-2">{words.safety.unattendedAbout}</p>
          <TextField
            label={words.safety.unattended}
            inputMode="decimal"
            value={unattended}
            onChange={(event) => setUnattended(event.target.value)}
            {...(unattendedUsd === null ? { problem: words.safety.number0 } : {})}
          />
        </div>
      </Sheet>
    </StepFrame>
  )
}

function Counter({ asks }: { asks: number | null }) {
  if (asks === null) return <>{words.safety.notCounted}</>
  return (
    <span aria-live="polite">
      {words.safety.asked(<strong className="text-ink">{words.safety.times(Math.round(asks / 7))}</strong>)}
    </span>
  )
}

function dollars(text: string): number | null {
  const value = Number(text.trim().replace(/^\$/, ''))
  return text.trim() === '' || !Number.isFinite(value) || value < 0 ? null : value
}
