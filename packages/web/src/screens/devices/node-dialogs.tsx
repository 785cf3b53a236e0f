/** The windows in which a node is renamed or revoked. A name stands on cards, so only the host itself gives one. */
import type { NodeView } from '@countersign/contract'
import { useState } from 'react'
import { Button, CopyButton, Dialog, Mono, shellWord, TextField } from '../../kit/index.ts'
import { words as common } from '../../words/common.ts'
import { words } from '../../words/devices.tsx'
import { useFiling } from './filing.ts'
import { type DeviceAuthority, proofToRevoke } from './proof.ts'

export function RenameNode({ node, onClose }: { node: NodeView; onClose: () => void }) {
  const [name, setName] = useState(node.name)
  const given = name.trim()
  const command = `countersign node rename ${shellWord(node.name)} ${shellWord(given)}`
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title={words.nodes.rename.title(node.name)}
      description={words.nodes.rename.about}
      actions={<Button onClick={onClose}>{common.back}</Button>}
    >
      <TextField
        label={words.rename.name}
        maxLength={60}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {given === '' || given === node.name ? null : (
        <p className="mt-3 flex flex-wrap items-center gap-2">
          <Mono text={command} className="min-w-0 break-all" />
          <CopyButton text={command} size="small" />
        </p>
      )}
    </Dialog>
  )
}

export function RevokeNode({
  node,
  authority,
  onClose,
}: {
  node: NodeView
  authority: DeviceAuthority
  onClose: () => void
}) {
  const { busy, state } = useFiling()
  const proof = proofToRevoke(authority)
  const revoke = async () => {
    if (await state({ kind: 'revoke', target: node.id }, proof, words.revoking.done(node.name))) onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title={words.revoking.title(node.name)}
      description={words.nodes.revoke.about}
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
      {node.busy === 0 ? null : (
        <p className="mb-2 font-medium text-t3">{words.nodes.revoke.busy(node.busy)}</p>
      )}
      <p className="text-ink-2">{words.revoking.stays}</p>
      {proof.kind === 'impossible' ? <p className="mt-2 font-medium text-bad">{proof.reason}</p> : null}
    </Dialog>
  )
}
