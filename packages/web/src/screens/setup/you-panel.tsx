/** The second step: a name, and a passkey for what must be this person's alone. */

import type { Onboarding } from '@countersign/contract'
import { CircleCheck, Fingerprint } from 'lucide-react'
import { useState } from 'react'
import { Button, Sheet, TextField } from '../../kit/index.ts'
import { words } from '../../words/setup.tsx'
import { useStepFlow } from './flow.ts'
import { useFirstPasskey } from './passkey.ts'
import { StepFrame } from './step-frame.tsx'

export function YouPanel({ view }: { view: Onboarding }) {
  const flow = useStepFlow(view, 'you')
  const { data } = flow.step
  const [name, setName] = useState(data.name ?? '')
  const given = name.trim()
  const unchanged = given === (data.name ?? '') && flow.step.state === 'done'
  return (
    <StepFrame
      step={flow.step}
      busy={flow.busy}
      problem={flow.problem}
      back={flow.back}
      onSkip={flow.skip}
      onContinue={given === '' ? null : unchanged ? flow.forward : () => flow.answer({ name: given })}
    >
      <div className="max-w-md">
        <TextField
          label={words.you.name}
          value={name}
          maxLength={100}
          autoComplete="given-name"
          onChange={(event) => setName(event.target.value)}
          hint={words.you.hint}
        />
      </div>
      <Passkey name={given} has={data.passkey} />
    </StepFrame>
  )
}

function Passkey({ name, has }: { name: string; has: boolean }) {
  const passkey = useFirstPasskey()
  return (
    <Sheet className="mt-5 max-w-prose">
      <h3 className="flex items-center gap-2">
        <Fingerprint size={18} aria-hidden />
        {words.you.passkey}
      </h3>
      <p className="mt-1 text-ink-2">{words.you.about}</p>
      {has || passkey.made ? (
        <p role="status" className="mt-3 flex items-center gap-2 text-ok">
          <CircleCheck size={18} aria-hidden />
          {words.you.registered}
        </p>
      ) : (
        <Button
          className="mt-3"
          busy={passkey.busy}
          onClick={() => passkey.make(name === '' ? words.you.unnamed : name)}
        >
          {words.you.create}
        </Button>
      )}
      {passkey.problem === null ? null : (
        <p role="alert" className="mt-2 text-small font-medium text-bad">
          {passkey.problem}
        </p>
      )}
    </Sheet>
  )
}
