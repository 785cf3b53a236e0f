/** Makes a passkey. With one registered already, that one has to agree: here, or on a device where it works. */

import type { OriginView } from '@countersign/contract'
import { type FormEvent, useState } from 'react'
import { useServices } from '../../environment/services.tsx'
import { Button, Dialog, TextField } from '../../kit/index.ts'
import { words as common } from '../../words/common.ts'
import { words } from '../../words/devices.tsx'
import { useFiling } from './filing.ts'
import { isAcceptedPlace } from './place.ts'
import { asksElsewhere, type DeviceAuthority, livePasskeys, proofToWiden, sitesOfPasskeys } from './proof.ts'

export function AddPasskeyDialog({
  authority,
  origins,
  onClose,
}: {
  authority: DeviceAuthority
  origins: readonly OriginView[]
  onClose: () => void
}) {
  const { passkeys } = useServices()
  const { busy, register, ask } = useFiling()
  const [name, setName] = useState('')
  const proof = proofToWiden(authority)
  const asks = asksElsewhere(authority)
  const problem =
    passkeys.problem() ??
    (isAcceptedPlace(document.location.origin, origins) ? null : words.passkey.notAccepted) ??
    (proof.kind === 'impossible' && !asks ? proof.reason : null)
  const given = name.trim()
  const known = livePasskeys(authority)
    .filter(({ site }) => site === authority.site)
    .map(({ credential }) => credential)
  const make = async (event: FormEvent) => {
    event.preventDefault()
    if (given === '' || busy || problem !== null) return
    const about = { name: given, known }
    if (await (asks ? ask(about) : register(about, proof))) onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title={words.passkey.title}
      description={words.passkey.description}
      actions={
        <>
          <Button variant="quiet" onClick={onClose}>
            {common.back}
          </Button>
          <Button
            variant="go"
            type="submit"
            form="add-passkey"
            busy={busy}
            disabled={given === '' || problem !== null}
          >
            {asks ? words.passkey.makeAndAsk : words.passkey.make}
          </Button>
        </>
      }
    >
      <form id="add-passkey" onSubmit={(event) => void make(event)}>
        <TextField
          label={words.passkey.name}
          placeholder={words.passkey.placeholder}
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.target.value)}
          hint={words.passkey.hint(authority.site)}
          {...(problem === null ? {} : { problem })}
        />
      </form>
      <p className="mt-3 text-small text-ink-2">
        {asks
          ? words.passkey.elsewhere(sitesOfPasskeys(authority).join(', '))
          : `${known.length === 0 ? words.passkey.first : words.passkey.second} ${words.passkey.spare}`}
      </p>
    </Dialog>
  )
}
