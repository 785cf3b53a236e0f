/** Says what is wrong with the whole of it, above every screen: paused, offline, held, a broken ledger or policy. */
import { OctagonAlert, PauseCircle, PlugZap } from 'lucide-react'
import type { ReactNode } from 'react'
import { useGateway, useStatus } from '../data/queries.ts'
import { Command, classes, Link, Safe, Time } from '../kit/index.ts'
import { useLive } from './services.tsx'

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
      {status !== undefined && !status.ledger.writable ? (
        <Strip tone="bad" icon={OctagonAlert}>
          The ledger cannot be written, so nothing runs. Free disk space or repair the database.
          <Command text="countersign doctor" className="my-1" />
        </Strip>
      ) : null}
      {isCode(error, 'policy_invalid') ? (
        <Strip tone="bad" icon={OctagonAlert}>
          The policy cannot be read: <Safe text={error?.message ?? ''} />{' '}
          <Link to="/policy">Open Policy</Link>
        </Strip>
      ) : null}
      {isCode(error, 'ledger_broken') || verified?.ok === false ? (
        <Strip tone="bad" icon={OctagonAlert}>
          The ledger does not fit together: <Safe text={verified?.problem ?? error?.message ?? ''} />{' '}
          <Link to="/ledger">Open Ledger</Link>
        </Strip>
      ) : null}
      {status?.executor.ok === false ? (
        <Strip tone="bad" icon={OctagonAlert}>
          The executor does not run, so no call is carried out. <Link to="/health">Open Health</Link>
        </Strip>
      ) : null}
      {paused === null ? null : (
        <Strip tone="waiting" icon={PauseCircle}>
          <strong className="font-medium">Everything is paused</strong> by <Safe text={paused.by} />,{' '}
          <Time at={paused.at} />. Runs and schedules stand still; approvals are kept and can be decided.
        </Strip>
      )}
      {held === null ? null : (
        <Strip tone="waiting" icon={PauseCircle}>
          Unattended work is held: <Safe text={held.reason} /> <Link to="/costs">Look at Costs</Link>
        </Strip>
      )}
      {link.kind === 'offline' ? (
        <Strip tone="plain" icon={PlugZap}>
          Offline. What you see is the last that was known here, and nothing can be decided until the gateway
          answers.
          <Command text="countersign up" className="my-1" />
        </Strip>
      ) : null}
      {link.kind === 'refused' ? (
        <Strip tone="bad" icon={OctagonAlert}>
          The gateway no longer knows this browser.{' '}
          <a className="text-act underline" href="/">
            Pair it again
          </a>
        </Strip>
      ) : null}
    </>
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
