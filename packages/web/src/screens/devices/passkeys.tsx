/** The passkeys: what must be this person's alone is proven by one of them. */

import type { PasskeyView } from '@countersign/contract'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { Button, Dialog, EmptyState, Safe, Sheet, Time } from '../../kit/index.ts'
import { words } from '../../words/devices.tsx'
import { useFiling } from './filing.ts'
import { type DeviceAuthority, livePasskeys, proofToRevokePasskey } from './proof.ts'

export function Passkeys({
  authority,
  online,
  onAdd,
}: {
  authority: DeviceAuthority
  online: boolean
  onAdd: (() => void) | null
}) {
  const [leaving, setLeaving] = useState<PasskeyView | null>(null)
  const live = livePasskeys(authority)
  return (
    <>
      {live.length === 0 ? (
        <EmptyState
          className="py-0!"
          sentence={words.passkey.none}
          {...(onAdd === null ? {} : { action: <Button onClick={onAdd}>{words.addPasskey}</Button> })}
        />
      ) : (
        <Sheet padded={false}>
          <ul aria-label={words.passkeys}>
            {live.map((passkey) => (
              <li
                key={passkey.credential}
                className="flex items-start gap-3 border-t border-line px-4 py-3 first:border-t-0"
              >
                <KeyRound size={16} strokeWidth={1.75} aria-hidden className="mt-1 shrink-0 text-ink-2" />
                <div className="min-w-0 flex-1">
                  <h3 className="text-base font-medium text-ink">
                    <Safe text={passkey.name} />
                  </h3>
                  <p className="text-small text-ink-3">
                    {words.passkey.works(<Safe text={passkey.site} />, <Time at={passkey.addedAt} />)}
                  </p>
                </div>
                <Button
                  disabled={!online}
                  aria-label={words.passkey.revokeNamed(passkey.name)}
                  onClick={() => setLeaving(passkey)}
                >
                  {words.row.revoke}
                </Button>
              </li>
            ))}
          </ul>
        </Sheet>
      )}
      {leaving === null ? null : (
        <RevokePasskey
          passkey={leaving}
          isLast={live.length === 1}
          authority={authority}
          onClose={() => setLeaving(null)}
        />
      )}
    </>
  )
}

function RevokePasskey({
  passkey,
  isLast,
  authority,
  onClose,
}: {
  passkey: PasskeyView
  isLast: boolean
  authority: DeviceAuthority
  onClose: () => void
}) {
  const { busy, state } = useFiling()
  const proof = proofToRevokePasskey(authority)
  const revoke = async () => {
    const done = await state(
      { kind: 'revoke', target: passkey.credential },
      proof,
      words.passkey.revoked(passkey.name),
    )
    if (done) onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title={words.passkey.revokeTitle(passkey.name)}
      description={words.passkey.revokeDescription}
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
      {isLast ? <p className="text-ink-2">{words.passkey.last}</p> : null}
      {proof.kind === 'impossible' ? <p className="mt-2 font-medium text-bad">{proof.reason}</p> : null}
    </Dialog>
  )
}
