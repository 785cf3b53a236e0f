/**
 * Passkeys that wait for an existing one: on the device that made one, what to do elsewhere; on every other, the words
 * to compare and the decision. Refusing comes first.
 */
import type { DeviceView, PasskeyRequestView } from '@countersign/contract'
import type { ReactNode } from 'react'
import { useArmed } from '../../deciding/arming-delay.ts'
import { useChange, useGateway } from '../../environment/queries.ts'
import { ApproveButton, Button, DisplayFlags, Safe, useNotify } from '../../kit/index.ts'
import { leftWords } from '../../language/format.ts'
import { words } from '../../words/devices.tsx'
import { useFiling } from './filing.ts'
import { type DeviceAuthority, proofToWiden, sitesOfPasskeys, thisDevice } from './proof.ts'
import { SixWords } from './six-words.tsx'
import { usePasskeyWords } from './words.ts'

interface PasskeyRequestsProps {
  readonly authority: DeviceAuthority
  readonly online: boolean
  readonly mayRefuse: boolean
  readonly now: Date
}

export function PasskeyRequests({ authority, now, ...rest }: PasskeyRequestsProps) {
  const requests = useGateway(['pairing', 'passkeys'], (client) => client.passkeyRequests())
  const own = thisDevice(authority)
  const shown = (requests.data ?? []).flatMap((request) => {
    const device = authority.devices.find(({ id }) => id === request.device)
    const isOver = Date.parse(request.expiresAt) <= now.getTime()
    const isTold = request.state === 'waiting' || (request.state === 'refused' && device?.id === own?.id)
    return device === undefined || isOver || !isTold ? [] : [{ request, device }]
  })
  if (shown.length === 0) return null
  return (
    <section aria-labelledby="asking-passkeys" className="mb-8 space-y-3">
      <h2 id="asking-passkeys">{words.passkeyRequest.asking(shown.length)}</h2>
      {shown.map(({ request, device }) => {
        const Card = device.id === own?.id ? OwnPasskeyRequest : OtherPasskeyRequest
        return (
          <Card
            key={request.id}
            request={request}
            device={device}
            authority={authority}
            now={now}
            {...rest}
          />
        )
      })}
    </section>
  )
}

interface PasskeyCardProps extends PasskeyRequestsProps {
  readonly request: PasskeyRequestView
  readonly device: DeviceView
}

/** Made here: the other device decides, and nothing here can. */
function OwnPasskeyRequest({ request, device, authority, online, mayRefuse, now }: PasskeyCardProps) {
  const six = usePasskeyWords(request, device.key)
  const refusal = useRefusal(request, words.passkeyRequest.withdrawn)
  const isRefused = request.state === 'refused'
  return (
    <PasskeyCard
      request={request}
      title={words.passkeyRequest.own(<Safe text={request.name} />)}
      now={now}
      actions={
        isRefused ? null : (
          <Button disabled={!online || !mayRefuse} busy={refusal.busy} onClick={refusal.refuse}>
            {words.passkeyRequest.withdraw}
          </Button>
        )
      }
    >
      <p className="mt-1 pb-3 text-ink-2" role="status">
        {isRefused
          ? words.passkeyRequest.notAdded
          : words.passkeyRequest.elsewhere(sitesOfPasskeys(authority).join(', '))}
      </p>
      {isRefused ? null : <SixWords six={six} />}
    </PasskeyCard>
  )
}

function OtherPasskeyRequest({ request, device, authority, online, mayRefuse, now }: PasskeyCardProps) {
  const six = usePasskeyWords(request, device.key)
  const { busy, state } = useFiling()
  const refusal = useRefusal(request, words.passkeyRequest.refused)
  const armed = useArmed(`${request.id} ${six.data?.join(' ') ?? ''}`, busy)
  const proof = proofToWiden(authority)
  const { credential, key, name, site } = request
  const agree = () =>
    void state({ kind: 'passkey', credential, key, name, site }, proof, words.passkey.registered(name))
  return (
    <PasskeyCard
      request={request}
      title={words.passkeyRequest.title(<Safe text={device.name} />, <Safe text={name} />)}
      now={now}
      actions={
        <>
          <Button disabled={!online || !mayRefuse} busy={refusal.busy} onClick={refusal.refuse}>
            {words.request.refuse}
          </Button>
          <p className="min-w-0 flex-1 text-small text-ink-3 empty:invisible max-sm:order-first max-sm:basis-full max-sm:empty:hidden">
            {proof.kind === 'impossible' ? proof.reason : ''}
            {proof.kind === 'passkey' ? words.request.needsPasskey : ''}
          </p>
          <ApproveButton
            className="max-sm:ms-auto"
            disabled={!online || !armed || six.data === undefined || proof.kind === 'impossible'}
            busy={busy}
            onClick={agree}
          >
            {words.passkeyRequest.approve}
          </ApproveButton>
        </>
      }
    >
      <p className="mt-1 text-ink-2">{words.passkeyRequest.compare}</p>
      <SixWords six={six} />
    </PasskeyCard>
  )
}

function PasskeyCard({
  request: { id, name, site, expiresAt },
  title,
  now,
  actions,
  children,
}: {
  request: PasskeyRequestView
  title: ReactNode
  now: Date
  actions: ReactNode
  children: ReactNode
}) {
  return (
    <article
      aria-labelledby={`request-${id}`}
      className="overflow-hidden rounded-2 border border-edge bg-sheet shadow-1"
    >
      <div className="px-4 pt-3 sm:px-5 sm:pt-4">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <h3 id={`request-${id}`} className="text-large font-bold text-ink">
            {title}
          </h3>
          <p className="text-small text-ink-3">
            {words.passkeyRequest.site(<Safe text={site} />)} ·{' '}
            {words.request.left(leftWords(expiresAt, now))}
          </p>
        </div>
        <DisplayFlags texts={[name, site]} multiline={false} />
        {children}
      </div>
      {actions === null ? null : (
        <div className="flex flex-wrap items-center gap-2 border-t border-line px-4 py-3 sm:px-5">
          {actions}
        </div>
      )}
    </article>
  )
}

function useRefusal({ id, name }: PasskeyRequestView, said: (name: string, ledger: number) => string) {
  const notify = useNotify()
  const refuse = useChange((client, request: string) => client.refusePasskey(request), [['pairing']])
  return {
    busy: refuse.isPending,
    refuse: () =>
      refuse.mutate(id, {
        onSuccess: ({ ledger }) => notify({ text: said(name, ledger) }),
        onError: (error) => notify({ text: error.message, tone: 'bad' }),
      }),
  }
}
