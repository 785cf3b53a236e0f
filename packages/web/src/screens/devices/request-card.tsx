/** Somebody asks to be let in: six words to compare, how far it may go, and the decision. Refusing comes first. */
import type { DeviceReach, PairingRequestView } from '@countersign/contract'
import { useState } from 'react'
import { useChange } from '../../data/queries.ts'
import {
  ApproveButton,
  Button,
  Choice,
  DisplayFlags,
  Loaded,
  Safe,
  Skeleton,
  useNotify,
  useNow,
} from '../../kit/index.ts'
import { leftWords } from '../../language/format.ts'
import { useArmed } from '../approvals/armed.ts'
import { useFiling } from './filing.ts'
import { proofToWiden, type Standing } from './proof.ts'
import { offeredReach, reaches, reachWords } from './reach.ts'
import { usePairingWords } from './words.ts'

export function RequestCard({
  request,
  standing,
  online,
  mayRefuse,
}: {
  request: PairingRequestView
  standing: Standing
  online: boolean
  mayRefuse: boolean
}) {
  const now = useNow(5_000)
  const notify = useNotify()
  const { busy, state } = useFiling()
  const words = usePairingWords(request)
  const [reach, setReach] = useState<DeviceReach>(offeredReach(request))
  const armed = useArmed(`${request.id} ${words.data?.join(' ') ?? ''}`, busy)
  const refuse = useChange((client, id: string) => client.refusePairing(id), [['pairing']])
  const proof = proofToWiden(standing)
  const { name, platform, key, device } = request
  const letIn = () =>
    void state({ kind: 'device', device, key, name, platform, reach }, proof, `${name} is let in.`)
  const turnAway = () =>
    refuse.mutate(request.id, {
      onSuccess: ({ ledger }) => notify({ text: `${name} is refused. Ledger #${ledger}.` }),
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
            <Safe text={name} /> asks to be let in
          </h3>
          <p className="text-small text-ink-3">
            <Safe text={platform} />
            {platform === '' ? '' : ' · '}
            {leftWords(request.expiresAt, now)} left
          </p>
        </div>
        <DisplayFlags texts={[name, platform]} multiline={false} />
        <p className="mt-1 text-ink-2">
          Let it in only if the other screen shows these six words, in this order. If you did not ask just
          now, refuse it.
        </p>
        {request.proof === null ? null : (
          <p className="mt-1 text-ink-2">
            It claims to come from <code>countersign open</code>. Leave it to the terminal; do not let it in
            here.
          </p>
        )}
        <Loaded query={words} skeleton={<Skeleton rows={2} className="my-4" />} className="my-4">
          {(six) => (
            <ol
              aria-label="The six words"
              className="my-4 grid grid-cols-2 gap-px overflow-hidden rounded-2 border border-line bg-line sm:grid-cols-3 xl:grid-cols-6"
            >
              {six.map((word, place) => (
                <li key={`${place} ${word}`} className="flex items-baseline gap-2 bg-paper px-4 py-2.5">
                  <span aria-hidden className="text-small text-ink-3">
                    {place + 1}
                  </span>
                  <span className="font-mono text-large">{word}</span>
                </li>
              ))}
            </ol>
          )}
        </Loaded>
        <Choice
          label="What it may do"
          value={String(reach)}
          options={reaches
            .filter((each) => each <= request.reach)
            .map((each) => ({
              value: String(each),
              label: reachWords[each].word,
              hint: reachWords[each].does,
            }))}
          onChange={(value) => setReach(reaches.find((each) => String(each) === value) ?? 0)}
        />
        <p className="mt-1.5 text-small text-ink-2">{reachWords[reach].about}</p>
      </div>
      <div className="mt-4 flex flex-wrap items-center gap-2 border-t border-line px-4 py-3 sm:px-5">
        <Button disabled={!online || !mayRefuse} busy={refuse.isPending} onClick={turnAway}>
          Refuse
        </Button>
        <p className="min-w-0 flex-1 text-small text-ink-3 empty:invisible max-sm:order-first max-sm:basis-full max-sm:empty:hidden">
          {proof.kind === 'impossible' ? proof.reason : ''}
          {proof.kind === 'passkey' ? 'Needs your passkey.' : ''}
        </p>
        <ApproveButton
          className="max-sm:ms-auto"
          disabled={!online || !armed || words.data === undefined || proof.kind === 'impossible'}
          busy={busy}
          onClick={letIn}
        >
          The words match, let it in
        </ApproveButton>
      </div>
    </article>
  )
}
