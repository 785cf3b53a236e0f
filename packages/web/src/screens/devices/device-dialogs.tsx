/** The windows in which a device is renamed, limited or revoked. Each says what follows before it is done. */
import type { DeviceReach, DeviceView } from '@countersign/contract'
import { type FormEvent, useState } from 'react'
import { useServices } from '../../app/services.tsx'
import { useChange } from '../../data/queries.ts'
import { Button, Choice, Command, Dialog, shellWord, TextField, useNotify } from '../../kit/index.ts'
import { useFiling } from './filing.ts'
import { proofForReach, proofToLimit, type Standing } from './proof.ts'
import { reaches, reachWords } from './reach.ts'

export interface DeviceDialogProps {
  readonly device: DeviceView
  readonly standing: Standing
  readonly onClose: () => void
}

const commandWords: Readonly<Record<DeviceReach, string>> = { 0: 'look', 2: 'decide', 3: 'seal' }

export function RenameDialog({ device, onClose }: DeviceDialogProps) {
  const notify = useNotify()
  const [name, setName] = useState(device.name)
  const given = name.trim()
  const rename = useChange((client, next: string) => client.renameDevice(device.id, next), [['devices']])
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (given === '' || rename.isPending) return
    rename.mutate(given, {
      onSuccess: ({ ledger }) => {
        onClose()
        notify({ text: `It is called “${given}” now. Ledger #${ledger}.` })
      },
      onError: (error) => notify({ text: error.message, tone: 'bad' }),
    })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title="Rename"
      actions={
        <>
          <Button look="quiet" onClick={onClose}>
            Back
          </Button>
          <Button
            type="submit"
            form="rename-device"
            busy={rename.isPending}
            disabled={given === '' || given === device.name}
          >
            Rename
          </Button>
        </>
      }
    >
      <form id="rename-device" onSubmit={save}>
        <TextField
          label="Name"
          hint="It stands in receipts: “approved on …”."
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </form>
    </Dialog>
  )
}

export function ReachDialog({ device, standing, onClose }: DeviceDialogProps) {
  const { busy, state } = useFiling()
  const [reach, setReach] = useState<DeviceReach>(device.reach)
  const proof = proofForReach(standing, device, reach)
  const { key, name, platform } = device
  const save = async () => {
    const said = `${name} now ${reachWords[reach].does}.`
    if (await state({ kind: 'device', device: device.id, key, name, platform, reach }, proof, said)) onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={`What ${name} may do`}
      description="Less takes effect at once: its connection ends and comes back as what it is then."
      actions={
        <>
          <Button look="quiet" onClick={onClose}>
            Back
          </Button>
          <Button
            busy={busy}
            disabled={reach === device.reach || proof.kind === 'impossible'}
            onClick={() => void save()}
          >
            {reach > device.reach ? 'Let it do more' : 'Limit it'}
          </Button>
        </>
      }
    >
      <Choice
        label="Reach"
        hideLabel
        value={String(reach)}
        options={reaches.map((each) => ({
          value: String(each),
          label: reachWords[each].word,
          hint: reachWords[each].about,
        }))}
        onChange={(value) => setReach(reaches.find((each) => String(each) === value) ?? device.reach)}
      />
      <p className="mt-3 text-small text-ink-2" role="status">
        {reach === device.reach
          ? 'That is what it may do now.'
          : proof.kind === 'passkey'
            ? 'Your passkey is asked for.'
            : proof.kind === 'impossible'
              ? proof.reason
              : 'The key of this browser signs it.'}
      </p>
      {device.thisOne && reach < device.reach ? (
        <p className="mt-1 text-small font-medium text-t3">This is the browser that you are looking at.</p>
      ) : null}
      <Command
        className="mt-3"
        text={`countersign device limit ${shellWord(device.name)} --reach ${commandWords[reach]}`}
      />
    </Dialog>
  )
}

export function RevokeDialog({ device, standing, onClose }: DeviceDialogProps) {
  const { thisDevice } = useServices()
  const { busy, state } = useFiling()
  const proof = proofToLimit(standing, device, 'revoked')
  const revoke = async () => {
    if (!(await state({ kind: 'revoke', target: device.id }, proof, `${device.name} is revoked.`))) return
    onClose()
    if (device.thisOne) await thisDevice.forget()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title={`Revoke ${device.name}?`}
      description="It is out at once, and for ever: to come back it must pair with a new key."
      actions={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button
            look="danger"
            busy={busy}
            disabled={proof.kind === 'impossible'}
            onClick={() => void revoke()}
          >
            Revoke
          </Button>
        </>
      }
    >
      {device.thisOne ? (
        <p className="mb-2 font-medium text-t3">
          This is the browser that you are looking at. It forgets its key and must be let in again.
        </p>
      ) : null}
      {device.root ? (
        <p className="mb-2 font-medium text-t3">
          This is the key of the host. After this, no countersign command there is answered any more.
        </p>
      ) : null}
      <p className="mb-2 text-ink-2">
        What it approved stays approved, and what it sealed stays sealed. Receipts keep its name.
      </p>
      {proof.kind === 'impossible' ? (
        <p className="mb-2 font-medium text-bad">{proof.reason}</p>
      ) : (
        <Command text={`countersign device revoke ${shellWord(device.name)}`} />
      )}
    </Dialog>
  )
}
