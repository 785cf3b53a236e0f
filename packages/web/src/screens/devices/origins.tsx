/**
 * Where the app is reached: on this computer, and at the names of the operator's proxies. Whether the gateway answers
 * there, whether passkeys count there and since when, and how an address is added or stopped.
 */
import { type OriginView, siteOfOrigin } from '@countersign/contract'
import { Globe, Monitor } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useStatus } from '../../environment/queries.ts'
import { Button, Chip, CopyCommand, Dialog, EmptyState, Safe, Sheet, Time } from '../../kit/index.ts'
import { words } from '../../words/devices.tsx'
import { AddOriginDialog } from './add-origin-dialog.tsx'
import { localAddress } from './address.ts'
import { useFiling } from './filing.ts'
import { restartCommand, stoppingCommand } from './place.ts'
import { type DeviceAuthority, livePasskeys, proofToRevoke } from './proof.ts'
import { ShownCommand, Steps } from './steps.tsx'

interface OriginsProps {
  readonly origins: readonly OriginView[]
  readonly authority: DeviceAuthority
  readonly online: boolean
}

export function Origins({ origins, authority, online }: OriginsProps) {
  const [leaving, setLeaving] = useState<OriginView | null>(null)
  const [adds, setAdds] = useState(false)
  const add = <Button onClick={() => setAdds(true)}>{words.origins.add}</Button>
  return (
    <section aria-labelledby="origins">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <h2 id="origins">{words.origins.title}</h2>
        {origins.length === 0 ? null : add}
      </div>
      <Sheet padded={false}>
        <ul>
          <LocalRow authority={authority} />
          {origins.map((each) => (
            <OriginRow
              key={each.origin}
              origin={each}
              authority={authority}
              online={online}
              onStop={() => setLeaving(each)}
            />
          ))}
        </ul>
      </Sheet>
      {origins.length === 0 ? (
        <EmptyState className="pt-3 pb-0" sentence={words.origins.none} action={add} />
      ) : null}
      {adds ? <AddOriginDialog origins={origins} onClose={() => setAdds(false)} /> : null}
      {leaving === null ? null : (
        <StopOriginDialog
          origin={leaving}
          origins={origins}
          authority={authority}
          onClose={() => setLeaving(null)}
        />
      )}
    </section>
  )
}

/** Where the gateway itself listens: always there, and needing nobody's word. */
function LocalRow({ authority }: { authority: DeviceAuthority }) {
  const status = useStatus()
  if (status.data === undefined) return null
  const { origin, hostname } = new URL(localAddress(status.data.url))
  return (
    <AddressRow
      icon={<Monitor size={16} strokeWidth={1.75} aria-hidden className="mt-1 shrink-0 text-ink-2" />}
      origin={origin}
      served
      about={`${words.origins.local} ${words.origins.passkeys(passkeysAt(authority, hostname))}`}
    />
  )
}

function OriginRow({
  origin: { origin, served, acceptedAt },
  authority,
  online,
  onStop,
}: {
  origin: OriginView
  authority: DeviceAuthority
  online: boolean
  onStop: () => void
}) {
  const count = passkeysAt(authority, siteOfOrigin(origin))
  return (
    <AddressRow
      icon={<Globe size={16} strokeWidth={1.75} aria-hidden className="mt-1 shrink-0 text-ink-2" />}
      origin={origin}
      served={served}
      about={
        acceptedAt === null ? (
          words.origins.notAccepted
        ) : (
          <>
            {words.origins.accepted(<Time key="at" at={acceptedAt} />)} {words.origins.passkeys(count)}
          </>
        )
      }
      action={
        <Button disabled={!online} aria-label={words.origins.stopNamed(origin)} onClick={onStop}>
          {words.origins.stop}
        </Button>
      }
    >
      {served ? null : <p className="text-small text-ink-2">{words.origins.notServedAbout}</p>}
      {served && acceptedAt === null ? (
        <CopyCommand text={`countersign open --phone --origin ${origin}`} />
      ) : null}
    </AddressRow>
  )
}

function AddressRow({
  icon,
  origin,
  served,
  about,
  action,
  children,
}: {
  icon: ReactNode
  origin: string
  served: boolean
  about: ReactNode
  action?: ReactNode
  children?: ReactNode
}) {
  return (
    <li className="flex items-start gap-3 border-t border-line px-4 py-3 first:border-t-0">
      {icon}
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <h3 className="min-w-0 text-base font-medium break-all text-ink">
            <Safe text={origin} />
          </h3>
          <Chip tone={served ? 'ok' : 'plain'}>
            {served ? words.origins.served : words.origins.notServed}
          </Chip>
          {origin === document.location.origin ? <Chip tone="act">{words.origins.thisPage}</Chip> : null}
        </div>
        <p className="text-small text-ink-2">{about}</p>
        {children}
      </div>
      {action}
    </li>
  )
}

function passkeysAt(authority: DeviceAuthority, name: string): number {
  return livePasskeys(authority).filter(({ site }) => site === name).length
}

/** Two things end in two places: that passkeys count, by a statement; that the gateway answers, by its settings. */
function StopOriginDialog({
  origin: { origin, served, acceptedAt },
  origins,
  authority,
  onClose,
}: {
  origin: OriginView
  origins: readonly OriginView[]
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
      title={words.origins.stopTitle(origin)}
      actions={
        <>
          <Button onClick={onClose}>{words.keepIt}</Button>
          {acceptedAt === null ? null : (
            <Button
              variant="danger"
              busy={busy}
              disabled={proof.kind === 'impossible'}
              onClick={() => void revoke()}
            >
              {words.origins.revoke}
            </Button>
          )}
        </>
      }
    >
      <div className="space-y-3">
        {acceptedAt === null ? null : <p>{words.origins.revokeAbout}</p>}
        {acceptedAt !== null && proof.kind === 'impossible' ? (
          <p className="font-medium text-bad">{proof.reason}</p>
        ) : null}
        {served ? (
          <>
            <p>{words.origins.stopAbout}</p>
            <Steps>
              <li>
                <ShownCommand text={stoppingCommand(origins, origin)} />
              </li>
              <li>
                <ShownCommand text={restartCommand} />
              </li>
            </Steps>
            <p className="text-small text-ink-2">{words.origins.stopHint}</p>
          </>
        ) : null}
      </div>
    </Dialog>
  )
}
