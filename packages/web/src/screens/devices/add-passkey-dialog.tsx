/** Makes a passkey. With one registered already, that one has to agree. */
import { type FormEvent, useState } from 'react'
import { useServices } from '../../app/services.tsx'
import { Button, Dialog, TextField } from '../../kit/index.ts'
import { useFiling } from './filing.ts'
import { livePasskeys, proofToWiden, type Standing } from './proof.ts'

export function AddPasskeyDialog({ standing, onClose }: { standing: Standing; onClose: () => void }) {
  const { passkeys } = useServices()
  const { busy, register } = useFiling()
  const [name, setName] = useState('')
  const proof = proofToWiden(standing)
  const problem = passkeys.problem() ?? (proof.kind === 'impossible' ? proof.reason : null)
  const given = name.trim()
  const known = livePasskeys(standing)
    .filter(({ site }) => site === standing.site)
    .map(({ credential }) => credential)
  const make = async (event: FormEvent) => {
    event.preventDefault()
    if (given === '' || busy || problem !== null) return
    if (await register(given, known, proof)) onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title="Add a passkey"
      description="What is critical runs only when your fingerprint, face or security key says so, for exactly that call."
      actions={
        <>
          <Button look="quiet" onClick={onClose}>
            Back
          </Button>
          <Button
            look="go"
            type="submit"
            form="add-passkey"
            busy={busy}
            disabled={given === '' || problem !== null}
          >
            Make it
          </Button>
        </>
      }
    >
      <form id="add-passkey" onSubmit={(event) => void make(event)}>
        <TextField
          label="What do you call it?"
          placeholder="Fingerprint of this laptop"
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.target.value)}
          hint={`It will work at ${standing.site} and nowhere else.`}
          {...(problem === null ? {} : { problem })}
        />
      </form>
      <p className="mt-3 text-small text-ink-2">
        {known.length === 0
          ? 'From then on, letting a new device in needs it too.'
          : 'The browser asks twice: for the new passkey, then for one that you have, which vouches for it.'}{' '}
        Add a second one and keep it apart, in case the first is lost.
      </p>
    </Dialog>
  )
}
