/** Where the app is reached from elsewhere: whether the gateway answers there, and whether passkeys count there. */
import type { OriginView } from '@countersign/contract'
import { Globe } from 'lucide-react'
import { useState } from 'react'
import { Button, Chip, CopyCommand, Dialog, Safe, Sheet, Time } from '../../kit/index.ts'
import { words } from '../../words/devices.tsx'
import { useFiling } from './filing.ts'
import { type DeviceAuthority, proofToRevoke } from './proof.ts'

export function Origins({
  origins,
  authority,
  online,
}: {
  origins: readonly OriginView[]
  authority: DeviceAuthority
  online: boolean
}) {
  const [leaving, setLeaving] = useState<string | null>(null)
  if (origins.length === 0) return null
  return (
    <section aria-labelledby="origins">
      <h2 id="origins" className="mb-2">
        {words.origins.title}
      </h2>
      <Sheet padded={false}>
        <ul>
          {origins.map((each) => (
            <OriginRow
              key={each.origin}
              origin={each}
              online={online}
              onRevoke={() => setLeaving(each.origin)}
            />
          ))}
        </ul>
      </Sheet>
      {leaving === null ? null : (
        <RevokeOrigin origin={leaving} authority={authority} onClose={() => setLeaving(null)} />
      )}
    </section>
  )
}

function OriginRow({
  origin: { origin, served, acceptedAt },
  online,
  onRevoke,
}: {
  origin: OriginView
  online: boolean
  onRevoke: () => void
}) {
  return (
    <li className="flex items-start gap-3 border-t border-line px-4 py-3 first:border-t-0">
      <Globe size={16} strokeWidth={1.75} aria-hidden className="mt-1 shrink-0 text-ink-2" />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <h3 className="min-w-0 text-base font-medium break-all text-ink">
            <Safe text={origin} />
          </h3>
          <Chip tone={served ? 'ok' : 'plain'}>
            {served ? words.origins.served : words.origins.notServed}
          </Chip>
        </div>
        <p className="text-small text-ink-2">
          {acceptedAt === null
            ? words.origins.notAccepted
            : words.origins.accepted(<Time key="at" at={acceptedAt} />)}
        </p>
        {served ? null : <p className="text-small text-ink-2">{words.origins.notServedAbout}</p>}
        {acceptedAt === null ? <CopyCommand text={`countersign open --phone --origin ${origin}`} /> : null}
      </div>
      {acceptedAt === null ? null : (
        <Button disabled={!online} aria-label={words.origins.revokeNamed(origin)} onClick={onRevoke}>
          {words.row.revoke}
        </Button>
      )}
    </li>
  )
}

function RevokeOrigin({
  origin,
  authority,
  onClose,
}: {
  origin: string
  authority: DeviceAuthority
  onClose: () => void
}) {
  const { busy, state } = useFiling()
  const proof = proofToRevoke(authority)
  const revoke = async () => {
    if (await state({ kind: 'revoke', target: origin }, proof, words.origins.revoked(origin))) onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title={words.origins.revokeTitle(origin)}
      description={words.origins.revokeAbout}
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
      {proof.kind === 'impossible' ? <p className="font-medium text-bad">{proof.reason}</p> : null}
    </Dialog>
  )
}
