/** Says what is wrong with the whole of it, above every screen: paused, offline, held, a broken ledger or policy. */

import { OctagonAlert, PauseCircle, PlugZap } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { useGateway, useStatus } from '../environment/queries.ts'
import { useLive } from '../environment/services.tsx'
import { useNetwork, useTrouble } from '../environment/trouble.ts'
import { CopyCommand, classes, Link, Safe, Time } from '../kit/index.ts'
import { words } from '../words/frame.tsx'

const LedgerWatch = lazy(() => import('./ledger-watch.tsx'))

export function Banner() {
  const paused = useLive((now) => now.state.paused)
  const held = useLive((now) => now.state.held)
  const link = useLive((now) => now.link)
  const { data: status, error } = useStatus()
  // Only what was found out already: a check of every entry is asked for elsewhere.
  const { data: verified } = useGateway(['ledger', 'verify'], (client) => client.verifyLedger(), {
    enabled: false,
  })
  return (
    <>
      <Suspense fallback={null}>
        <LedgerWatch />
      </Suspense>
      {status !== undefined && !status.ledger.writable ? (
        <Strip tone="bad" icon={OctagonAlert}>
          {words.banner.ledgerReadOnly} <Link to="/health">{words.banner.openHealth}</Link>
        </Strip>
      ) : null}
      {isCode(error, 'policy_invalid') ? (
        <Strip tone="bad" icon={OctagonAlert}>
          {words.banner.policyInvalid(<Safe text={error?.message ?? ''} />)}{' '}
          <Link to="/policy">{words.banner.openPolicy}</Link>
        </Strip>
      ) : null}
      {isCode(error, 'ledger_broken') || verified?.ok === false ? (
        <Strip tone="bad" icon={OctagonAlert}>
          {words.banner.ledgerBroken(<Safe text={verified?.problem ?? error?.message ?? ''} />)}{' '}
          <Link to="/ledger">{words.banner.openLedger}</Link>
        </Strip>
      ) : null}
      {status?.executor.ok === false ? (
        <Strip tone="bad" icon={OctagonAlert}>
          {words.banner.noExecutor} <Link to="/health">{words.banner.openHealth}</Link>
        </Strip>
      ) : null}
      {paused === null ? null : (
        <Strip tone="waiting" icon={PauseCircle}>
          <strong className="font-medium">{words.banner.paused}</strong>{' '}
          {words.banner.pausedBy(<Safe text={paused.by} />, <Time at={paused.at} />)}
        </Strip>
      )}
      {held === null ? null : (
        <Strip tone="waiting" icon={PauseCircle}>
          {words.banner.held(<Safe text={held.reason} />)} <Link to="/costs">{words.banner.openCosts}</Link>
        </Strip>
      )}
      <Away />
      {link.kind === 'refused' ? (
        <Strip tone="bad" icon={OctagonAlert}>
          {words.banner.refused}{' '}
          <a className="text-act underline" href="/">
            {words.banner.pairAgain}
          </a>
        </Strip>
      ) : null}
    </>
  )
}

/** Why nothing comes from the gateway, and what to do about it. */
function Away() {
  const link = useLive((now) => now.link)
  const network = useNetwork()
  const trouble = useTrouble()
  if (link.kind !== 'live' && !network)
    return (
      <Strip tone="plain" icon={PlugZap}>
        {words.banner.noNetwork}
      </Strip>
    )
  if (link.kind === 'clock' || trouble?.code === 'clock_wrong')
    return (
      <Strip tone="bad" icon={OctagonAlert}>
        {words.banner.clock(<Safe text={link.kind === 'clock' ? link.reason : (trouble?.message ?? '')} />)}
      </Strip>
    )
  if (link.kind === 'offline')
    return (
      <Strip tone="plain" icon={PlugZap}>
        {words.banner.noAnswer} <CopyCommand text="countersign up" />
      </Strip>
    )
  if (trouble === null) return null
  return (
    <Strip tone="bad" icon={OctagonAlert}>
      {trouble.code === 'database_unavailable' ? words.banner.noDatabase : words.banner.diskFull}
    </Strip>
  )
}

function isCode(error: Error | null, code: string): boolean {
  return error !== null && 'code' in error && error.code === code
}

const tones = {
  plain: 'bg-well text-ink',
  waiting: 'bg-t2-soft text-ink',
  bad: 'bg-bad-soft text-ink',
} as const

function Strip({
  tone,
  icon: Icon,
  children,
}: {
  tone: keyof typeof tones
  icon: typeof PlugZap
  children: ReactNode
}) {
  return (
    <div
      role="status"
      className={classes('flex items-start gap-2.5 border-b border-line px-4 py-2 md:px-5', tones[tone])}
    >
      <Icon size={16} strokeWidth={1.75} aria-hidden className="mt-0.5 shrink-0" />
      <div className="min-w-0">{children}</div>
    </div>
  )
}
