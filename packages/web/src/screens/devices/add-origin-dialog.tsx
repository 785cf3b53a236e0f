/** How the app comes to be reached at one more address: what to run for it, with the address as it was typed. */
import type { OriginView } from '@countersign/contract'
import { useState } from 'react'
import { useStatus } from '../../environment/queries.ts'
import { Dialog, TextField } from '../../kit/index.ts'
import { words } from '../../words/devices.tsx'
import { addingCommand, originIn, restartCommand, serveCommand } from './place.ts'
import { ShownCommand, Steps } from './steps.tsx'

const example = 'https://home.example.com'

export function AddOriginDialog({
  origins,
  onClose,
}: {
  origins: readonly OriginView[]
  onClose: () => void
}) {
  const status = useStatus()
  const [typed, setTyped] = useState('')
  const given = typed.trim() === '' ? example : originIn(typed)
  return (
    <Dialog
      open
      onClose={onClose}
      size="large"
      title={words.origins.add}
      description={words.origins.addAbout}
    >
      <div className="space-y-4">
        <TextField
          label={words.origins.address}
          placeholder={example}
          hint={words.origins.addressHint}
          autoComplete="off"
          spellCheck={false}
          maxLength={300}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          {...(given === null ? { problem: words.origins.addressProblem } : {})}
        />
        {given === null ? null : (
          <Steps>
            <li>
              {words.origins.add1} <ShownCommand text={serveCommand(status.data?.url)} />
            </li>
            <li>
              {words.origins.add2} <ShownCommand text={addingCommand(origins, given)} />
              <ShownCommand text="countersign config set trustedProxies 127.0.0.1" />
            </li>
            <li>
              {words.origins.add3} <ShownCommand text={restartCommand} />
            </li>
            <li>
              {words.origins.add4} <ShownCommand text={`countersign open --phone --origin ${given}`} />
            </li>
          </Steps>
        )}
        <p className="text-small text-ink-2">{words.origins.addHint}</p>
      </div>
    </Dialog>
  )
}
