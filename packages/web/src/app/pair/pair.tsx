/** Owns the way in for a browser that the gateway does not know: a link, six words, or a passkey. */

import type { PairingInfo } from '@countersign/contract'
import type { PairingCalls } from '@countersign/contract/client'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { PairedKey } from '../../data/identity.ts'
import type { Passkeys } from '../../data/passkey.ts'
import { CopyCommand } from '../../kit/command.tsx'
import { words } from '../../words/pair.tsx'
import type { PairingLink } from './link.ts'
import { askToPair, type PairingRequest, pairByPasskey, paired } from './request.ts'
import { Welcome, welcomeAction, welcomeButton } from './welcome.tsx'
import { Words } from './words.tsx'

export interface PairProps {
  readonly info: PairingInfo
  /** Of the operator's own program; null where the page was opened without it. */
  readonly link: PairingLink | null
  readonly pairing: PairingCalls
  readonly passkeys: Passkeys
  readonly onPaired: (key: PairedKey) => Promise<void>
}

type PairStep =
  | { readonly kind: 'choose' }
  | { readonly kind: 'asking' }
  | { readonly kind: 'waiting'; readonly asked: PairingRequest }
  | { readonly kind: 'over'; readonly why: 'refused' | 'expired' }

export function Pair({ info, link, pairing, passkeys, onPaired }: PairProps) {
  const secret = link?.secret ?? null
  // From elsewhere only who came by a link may ask.
  const isElsewhere = window.location.protocol === 'https:'
  const [step, setStep] = useState<PairStep>({ kind: secret === null ? 'choose' : 'asking' })
  const [problem, setProblem] = useState<string | null>(null)
  const ask = useCallback(
    async (withSecret: string | null) => {
      setProblem(null)
      setStep({ kind: 'asking' })
      try {
        setStep({ kind: 'waiting', asked: await askToPair(pairing, info, withSecret) })
      } catch (error) {
        setProblem(problemText(error))
        setStep({ kind: 'choose' })
      }
    },
    [pairing, info],
  )
  const begun = useRef(false)
  useEffect(() => {
    if (secret === null || begun.current) return
    begun.current = true
    void ask(secret)
  }, [secret, ask])
  useAnswer(step, pairing, setStep, onPaired)

  const signIn = async () => {
    setProblem(null)
    try {
      const outcome = await pairByPasskey(pairing, info, passkeys, new Date())
      if (outcome.kind === 'done') await onPaired(outcome.value)
      else setProblem(outcome.kind === 'cancelled' ? words.passkey.cancelled : outcome.reason)
    } catch (error) {
      setProblem(problemText(error))
    }
  }

  if (step.kind === 'asking')
    return (
      <Welcome title={words.asking.title}>
        <p className="text-ink-2">{words.asking.text}</p>
      </Welcome>
    )
  if (step.kind === 'waiting')
    return link === null || link.words ? (
      <Words asked={step.asked} gateway={info.name} onStop={() => setStep({ kind: 'choose' })} />
    ) : (
      <Welcome title={words.finishing.title}>
        <p className="text-ink-2">{words.finishing.text}</p>
      </Welcome>
    )
  if (step.kind === 'over')
    return (
      <Welcome title={words[step.why].title}>
        <p className="mb-4 text-ink-2">{words[step.why].text}</p>
        <button type="button" className={welcomeButton} onClick={() => setStep({ kind: 'choose' })}>
          {words.again}
        </button>
      </Welcome>
    )
  return (
    <Welcome title={words.title}>
      <p className="text-ink-2">{words.intro(info.name)}</p>
      {problem === null ? null : (
        <p role="alert" className="mt-4 rounded-1 border border-bad bg-bad-soft px-3 py-2">
          {problem}
        </p>
      )}
      <ol className="mt-6 space-y-6">
        <li>
          <h2>{words.here.title}</h2>
          <p className="mt-1 mb-2 text-ink-2">{isElsewhere ? words.here.phone : words.here.text}</p>
          <CopyCommand text={isElsewhere ? 'countersign open --phone' : 'countersign open'} />
        </li>
        {isElsewhere ? null : (
          <li>
            <h2>{words.words.title}</h2>
            <p className="mt-1 mb-2 text-ink-2">{words.words.text}</p>
            <button type="button" className={welcomeButton} onClick={() => void ask(null)}>
              {words.words.show}
            </button>
          </li>
        )}
        {info.passkeys ? (
          <li>
            <h2>{words.passkey.title}</h2>
            <p className="mt-1 mb-2 text-ink-2">{passkeys.problem() ?? words.passkey.text}</p>
            {passkeys.problem() === null ? (
              <button type="button" className={welcomeAction} onClick={() => void signIn()}>
                {words.passkey.signIn}
              </button>
            ) : null}
          </li>
        ) : null}
      </ol>
    </Welcome>
  )
}

const everyMs = 1_500

/** Asks until there is an answer. */
function useAnswer(
  step: PairStep,
  pairing: PairingCalls,
  setStep: (step: PairStep) => void,
  onPaired: PairProps['onPaired'],
): void {
  const latest = useRef({ setStep, onPaired })
  useEffect(() => {
    latest.current = { setStep, onPaired }
  })
  const asked = step.kind === 'waiting' ? step.asked : null
  useEffect(() => {
    if (asked === null) return
    let over = false
    const poll = async () => {
      // A lost answer is asked for again; the request itself ends by its own time.
      const answer = await pairing.state(asked.id).catch(() => undefined)
      if (over) return
      if (answer?.state === 'approved' && answer.device !== null) {
        over = true
        await latest.current.onPaired(paired(asked, answer.device, new Date()))
      } else if (answer?.state === 'refused' || answer?.state === 'expired') {
        over = true
        latest.current.setStep({ kind: 'over', why: answer.state })
      }
    }
    const timer = window.setInterval(() => void poll(), everyMs)
    return () => {
      over = true
      window.clearInterval(timer)
    }
  }, [asked, pairing])
}

function problemText(error: unknown): string {
  if (error instanceof DOMException && error.name === 'NotSupportedError') return words.noEd25519
  if (error instanceof Error && 'next' in error)
    return `${error.message} ${String(error.next).replaceAll('`', '')}`
  return error instanceof Error ? error.message : String(error)
}
