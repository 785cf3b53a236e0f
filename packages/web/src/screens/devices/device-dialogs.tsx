/** The windows in which a device is renamed, limited or revoked. Each says what follows before it is done. */

import type { DeviceReach, DeviceView } from '@countersign/contract'
import { type FormEvent, useState } from 'react'
import { useChange } from '../../environment/queries.ts'
import { useServices } from '../../environment/services.tsx'
import { Button, Choice, Dialog, TextField, useNotify } from '../../kit/index.ts'
import { words as common } from '../../words/common.ts'
import { words } from '../../words/devices.tsx'
import { useFiling } from './filing.ts'
import { type DeviceAuthority, proofForReach, proofToLimit } from './proof.ts'
import { reaches } from './reach.ts'

export interface DeviceDialogProps {
  readonly device: DeviceView
  readonly authority: DeviceAuthority
  readonly onClose: () => void
}

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
        notify({ text: words.rename.done(given, ledger) })
      },
      onError: (error) => notify({ text: error.message, tone: 'bad' }),
    })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title={words.rename.title}
      actions={
        <>
          <Button variant="quiet" onClick={onClose}>
            {common.back}
          </Button>
          <Button
            type="submit"
            form="rename-device"
            busy={rename.isPending}
            disabled={given === '' || given === device.name}
          >
            {words.rename.title}
          </Button>
        </>
      }
    >
      <form id="rename-device" onSubmit={save}>
        <TextField
          label={words.rename.name}
          hint={words.rename.hint}
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </form>
    </Dialog>
  )
}

export function ReachDialog({ device, authority, onClose }: DeviceDialogProps) {
  const { busy, state } = useFiling()
  const [reach, setReach] = useState<DeviceReach>(device.reach)
  const proof = proofForReach(authority, device, reach)
  const { key, name, platform } = device
  const save = async () => {
    const said = words.access.done[reach](name)
    if (await state({ kind: 'device', device: device.id, key, name, platform, reach }, proof, said)) onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.access.title(name)}
      description={words.access.description}
      actions={
        <>
          <Button variant="quiet" onClick={onClose}>
            {common.back}
          </Button>
          <Button
            busy={busy}
            disabled={reach === device.reach || proof.kind === 'impossible'}
            onClick={() => void save()}
          >
            {reach > device.reach ? words.access.more : words.access.less}
          </Button>
        </>
      }
    >
      <Choice
        label={words.access.label}
        hideLabel
        value={String(reach)}
        options={reaches.map((each) => ({
          value: String(each),
          label: words.reach[each].word,
          hint: words.reach[each].about,
        }))}
        onChange={(value) => setReach(reaches.find((each) => String(each) === value) ?? device.reach)}
      />
      <p className="mt-3 text-small text-ink-2" role="status">
        {reach === device.reach
          ? words.access.same
          : proof.kind === 'passkey'
            ? words.access.passkey
            : proof.kind === 'impossible'
              ? proof.reason
              : words.access.key}
      </p>
      {device.thisOne && reach < device.reach ? (
        <p className="mt-1 text-small font-medium text-t3">{words.access.thisOne}</p>
      ) : null}
    </Dialog>
  )
}

export function RevokeDialog({ device, authority, onClose }: DeviceDialogProps) {
  const { thisDevice } = useServices()
  const { busy, state } = useFiling()
  const proof = proofToLimit(authority, device, 'revoked')
  const revoke = async () => {
    if (!(await state({ kind: 'revoke', target: device.id }, proof, words.revoking.done(device.name)))) return
    onClose()
    if (device.thisOne) await thisDevice.forget()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title={words.revoking.title(device.name)}
      description={words.revoking.description}
      actions={
        <>
          <Button onClick={onClose}>{words.keepIt}</Button>
          <Button
            variant="danger"
            busy={busy}
            disabled={proof.kind === 'impossible'}
            onClick={() => void revoke()}
          >
            {words.revoke}
          </Button>
        </>
      }
    >
      {device.thisOne ? <p className="mb-2 font-medium text-t3">{words.revoking.thisOne}</p> : null}
      {device.root ? <p className="mb-2 font-medium text-t3">{words.revoking.root}</p> : null}
      <p className="mb-2 text-ink-2">{words.revoking.stays}</p>
      {proof.kind === 'impossible' ? <p className="mb-2 font-medium text-bad">{proof.reason}</p> : null}
    </Dialog>
  )
}
