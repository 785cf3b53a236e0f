/** The passkeys: what must be this person's alone is proven by one of them. */
import type { PasskeyView } from '@countersign/contract'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { Button, Dialog, EmptyState, Safe, Sheet, Time } from '../../kit/index.ts'
import { useFiling } from './filing.ts'
import { livePasskeys, proofToRevokePasskey, type Standing } from './proof.ts'

export function Passkeys({
  standing,
  online,
  onAdd,
}: {
  standing: Standing
  online: boolean
  onAdd: (() => void) | null
}) {
  const [leaving, setLeaving] = useState<PasskeyView | null>(null)
  const live = livePasskeys(standing)
  return (
    <>
      {live.length === 0 ? (
        <EmptyState
          className="py-0!"
          sentence="No passkey is registered, so what is critical (T4) cannot be approved. One takes a fingerprint, a face or a security key."
          {...(onAdd === null ? {} : { action: <Button onClick={onAdd}>Add a passkey</Button> })}
        />
      ) : (
        <Sheet padded={false}>
          <ul aria-label="Passkeys">
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
                    works at <Safe text={passkey.site} /> · added <Time at={passkey.addedAt} />
                  </p>
                </div>
                <Button
                  disabled={!online}
                  aria-label={`Revoke the passkey ${passkey.name}`}
                  onClick={() => setLeaving(passkey)}
                >
                  Revoke…
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
          standing={standing}
          onClose={() => setLeaving(null)}
        />
      )}
    </>
  )
}

function RevokePasskey({
  passkey,
  isLast,
  standing,
  onClose,
}: {
  passkey: PasskeyView
  isLast: boolean
  standing: Standing
  onClose: () => void
}) {
  const { busy, state } = useFiling()
  const proof = proofToRevokePasskey(standing)
  const revoke = async () => {
    const done = await state(
      { kind: 'revoke', target: passkey.credential },
      proof,
      `The passkey “${passkey.name}” is revoked.`,
    )
    if (done) onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title={`Revoke the passkey “${passkey.name}”?`}
      description="It is out at once and for ever. It takes a passkey to take one away."
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
      {isLast ? (
        <p className="text-ink-2">
          It is your last one. Until you add another, nothing critical can be approved, and new devices are
          let in by the key of a device alone.
        </p>
      ) : null}
      {proof.kind === 'impossible' ? <p className="mt-2 font-medium text-bad">{proof.reason}</p> : null}
    </Dialog>
  )
}
