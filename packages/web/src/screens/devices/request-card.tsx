/** Somebody asks to be let in: six words to compare, how far it may go, and the decision. Refusing comes first. */

import type { DeviceReach, PairingRequestView } from '@countersign/contract'
import { useState } from 'react'
import { useArmed } from '../../deciding/arming-delay.ts'
import { useChange } from '../../environment/queries.ts'
import { ApproveButton, Button, Choice, DisplayFlags, Safe, useNotify, useNow } from '../../kit/index.ts'
import { leftWords } from '../../language/format.ts'
import { words } from '../../words/devices.tsx'
import { useFiling } from './filing.ts'
import { type DeviceAuthority, proofToWiden } from './proof.ts'
import { offeredReach, reaches } from './reach.ts'
import { SixWords } from './six-words.tsx'
import { usePairingWords } from './words.ts'

export function RequestCard({
  request,
  authority,
  online,
  mayRefuse,
}: {
  request: PairingRequestView
  authority: DeviceAuthority
  online: boolean
  mayRefuse: boolean
}) {
  const now = useNow(5_000)
  const notify = useNotify()
  const { busy, state } = useFiling()
  const six = usePairingWords(request)
  const [reach, setReach] = useState<DeviceReach>(offeredReach(request))
  const armed = useArmed(`${request.id} ${six.data?.join(' ') ?? ''}`, busy)
  const refuse = useChange((client, id: string) => client.refusePairing(id), [['pairing']])
  const proof = proofToWiden(authority)
  const { name, platform, key, device } = request
  const letIn = () =>
    void state({ kind: 'device', device, key, name, platform, reach }, proof, words.request.paired(name))
  const turnAway = () =>
    refuse.mutate(request.id, {
      onSuccess: ({ ledger }) => notify({ text: words.request.refused(name, ledger) }),
      onError: (error) => notify({ text: error.message, tone: 'bad' }),
    })
  return (
    <article
      aria-labelledby={`request-${request.id}`}
      className="overflow-hidden rounded-2 border border-edge bg-sheet shadow-1"
    >
      <div className="px-4 pt-3 sm:px-5 sm:pt-4">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <h3 id={`request-${request.id}`} className="text-large font-bold text-ink">
            {words.request.title(<Safe text={name} />)}
          </h3>
          <p className="text-small text-ink-3">
            <Safe text={platform} />
            {platform === '' ? '' : ' · '}
            {words.request.left(leftWords(request.expiresAt, now))}
          </p>
        </div>
        <DisplayFlags texts={[name, platform]} multiline={false} />
        <p className="mt-1 text-ink-2">{words.request.compare}</p>
        {request.proof === null ? null : (
          <p className="mt-1 text-ink-2">{words.request.fromTerminal(<code>countersign open</code>)}</p>
        )}
        <SixWords six={six} />
        <Choice
          label={words.request.access}
          value={String(reach)}
          options={reaches
            .filter((each) => each <= request.reach)
            .map((each) => ({
              value: String(each),
              label: words.reach[each].word,
              hint: words.reach[each].does,
            }))}
          onChange={(value) => setReach(reaches.find((each) => String(each) === value) ?? 0)}
        />
        <p className="mt-1.5 text-small text-ink-2">{words.reach[reach].about}</p>
      </div>
      <div className="mt-4 flex flex-wrap items-center gap-2 border-t border-line px-4 py-3 sm:px-5">
        <Button disabled={!online || !mayRefuse} busy={refuse.isPending} onClick={turnAway}>
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
          onClick={letIn}
        >
          {words.request.approve}
        </ApproveButton>
      </div>
    </article>
  )
}
