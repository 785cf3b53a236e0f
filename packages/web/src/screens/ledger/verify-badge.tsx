/** Owns the badge of the ledger: whether it verified, what was checked and by whom, and where it breaks. */

import type { LedgerReport } from '@countersign/contract'
import { Download, RotateCw, ShieldAlert, ShieldCheck, ShieldQuestion } from 'lucide-react'
import { useState } from 'react'
import { useAskedFor } from '../../environment/asked-for.ts'
import { useKeys } from '../../environment/keys.tsx'
import { useStatus } from '../../environment/queries.ts'
import {
  Button,
  CopyButton,
  CopyCommand,
  Dialog,
  Facts,
  Link,
  Mono,
  Time,
  useIsNarrow,
} from '../../kit/index.ts'
import { words } from '../../words/ledger.tsx'
import type { Verification } from './verification.ts'

export interface VerifyBadgeProps {
  readonly verification: Verification
  readonly onExport: () => void
  readonly hrefOf: (seq: number) => string
}

export function VerifyBadge({ verification, onExport, hrefOf }: VerifyBadgeProps) {
  const [open, setOpen] = useState(false)
  useAskedFor('verify', () => setOpen(true))
  const { report, isChecking, check } = verification
  const badgeStyle = badgeStyleOf(verification, useIsNarrow())
  return (
    <>
      <Button
        variant="quiet"
        icon={badgeStyle.icon}
        busy={isChecking}
        className={badgeStyle.colour}
        onClick={() => setOpen(true)}
      >
        {badgeStyle.words}
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={
          report === undefined ? words.verify.checkTitle : report.ok ? words.verify.ok : words.verify.bad
        }
        description={words.verify.about}
        actions={
          <>
            <Button icon={Download} onClick={onExport}>
              {words.verify.export}
            </Button>
            <Button variant="go" icon={RotateCw} busy={isChecking} onClick={check} keys="v">
              {words.verify.now}
            </Button>
          </>
        }
      >
        <Report verification={verification} hrefOf={hrefOf} onLeave={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

/** Stays until the ledger verifies. */
export function BrokenBanner({
  verification: { report },
  hrefOf,
}: Pick<VerifyBadgeProps, 'verification' | 'hrefOf'>) {
  if (report === undefined || report.ok) return null
  const at = breakOf(report)
  return (
    <div role="alert" className="border-b border-bad bg-bad-soft px-6 py-2 text-bad lg:px-8">
      <span className="font-medium">{words.verify.banner}</span> {report.problem}{' '}
      {at === null ? null : <Link to={hrefOf(at)}>{words.verify.open(at)}</Link>} {words.verify.next}
    </div>
  )
}

function Report({
  verification: { report, at, error, check },
  hrefOf,
  onLeave,
}: Pick<VerifyBadgeProps, 'verification' | 'hrefOf'> & { onLeave: () => void }) {
  const status = useStatus()
  useKeys(words.keys.dialog, [{ keys: 'v', label: words.verify.now, run: check }], { modal: true })
  if (error !== null) return <p className="text-bad">{error.message}</p>
  if (report === undefined) return <p className="text-ink-2">{words.verify.notYet}</p>
  const breakAt = breakOf(report)
  return (
    <>
      <Facts
        rows={[
          [words.verify.checked, words.verify.checkedAbout(report.size, report.checkpoints)],
          [
            words.verify.broken,
            report.problem === null ? null : (
              <span className="text-bad">
                {report.problem}{' '}
                {breakAt === null ? null : (
                  <span onClickCapture={onLeave}>
                    <Link to={hrefOf(breakAt)}>{words.verify.open(breakAt)}</Link>
                  </span>
                )}
              </span>
            ),
          ],
          [words.verify.signedUpTo, `#${report.signed}`],
          [
            words.verify.head,
            <Mono key="head" text={`${report.size}:${report.root}`} className="break-all" />,
          ],
          [words.verify.key, <Mono key="key" text={report.key} className="break-all" />],
          [words.verify.by, `Countersign ${status.data?.version ?? ''}`],
          [words.verify.when, <Time key="when" at={at} />],
        ]}
      />
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <CopyButton text={`${report.size}:${report.root}`} label={words.verify.copyHead} />
        <CopyCommand text={`countersign-verify ledger.jsonl --key '${report.key}'`} />
      </div>
    </>
  )
}

/** The entry that a problem names. */
export function breakOf({ problem }: LedgerReport): number | null {
  const found = /(?:Entry|checkpoint at) (\d+)/.exec(problem ?? '')?.[1]
  return found === undefined ? null : Number(found)
}

function badgeStyleOf({ report, isChecking, error }: Verification, narrow: boolean) {
  if (isChecking) return { icon: ShieldQuestion, colour: '', words: words.verify.checking }
  if (error !== null) return { icon: ShieldQuestion, colour: '', words: words.verify.failed }
  if (report === undefined) return { icon: ShieldQuestion, colour: '', words: words.verify.unchecked }
  if (report.ok)
    return {
      icon: ShieldCheck,
      colour: 'text-ok!',
      words: narrow ? words.verify.verified : words.verify.verifiedAll(report.size, report.root.slice(0, 6)),
    }
  const at = breakOf(report)
  return {
    icon: ShieldAlert,
    colour: 'text-bad!',
    words: at === null ? words.verify.invalid : words.verify.breakAt(at),
  }
}
