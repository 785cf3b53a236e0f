/** The Health screen: whether each part works, and whether this page shows what the gateway has. */

import { liveText, type Status } from '@countersign/contract'
import { CircleCheck, OctagonAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { sha256Hex } from '../../data/digest.ts'
import { useGateway, useStatus } from '../../environment/queries.ts'
import type { Screen } from '../../environment/screen.ts'
import { useServices } from '../../environment/services.tsx'
import { Button, classes, Facts, Loaded, Mono, Page, Safe, Section, Sheet, Time } from '../../kit/index.ts'
import { sizeWords } from '../../language/format.ts'
import { words } from '../../words/health.ts'
import { Checks } from './findings.tsx'
import { History } from './history.tsx'
import { Log } from './log.tsx'
import { Providers } from './providers.tsx'
import { Repairs } from './repairs.tsx'
import { StuckWork } from './stuck-work.tsx'
import { Witnesses } from './witnesses.tsx'

export const screen: Screen = { component: HealthScreen }

function HealthScreen() {
  const status = useStatus()
  return (
    <Page title={words.title}>
      <Loaded query={status}>
        {(data) => (
          <>
            <Repairs status={data} />
            <Parts status={data} />
          </>
        )}
      </Loaded>
      <div className="grid gap-x-3 sm:grid-cols-2">
        <LedgerCheck />
        <PageCheck />
      </div>
      <Witnesses />
      <Checks />
      <StuckWork />
      <History />
      <Providers />
      <Log />
    </Page>
  )
}

function Parts({ status }: { status: Status }) {
  const { database, executor, model, ledger, runs, pending, disk } = status
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        <Part
          name={words.database}
          isWell={database.ok}
          detail={<Safe text={database.problem ?? database.mode} />}
        />
        <Part
          name={words.executor}
          isWell={executor.ok}
          detail={<Safe text={words.sandbox(executor.sandbox)} />}
        />
        <Part name={words.model} isWell={model.ok} detail={<Safe text={modelWords(model)} />} />
        <Part
          name={words.ledger}
          isWell={ledger.writable && !ledger.alarm}
          detail={words.entries(ledger.size, ledger.signed)}
        />
      </div>
      <Section level={2} title={words.gateway}>
        <Sheet>
          <Facts
            rows={[
              [words.version, status.version],
              [words.address, <Mono key="url" text={status.url} />],
              [words.since, <Time key="since" at={status.startedAt} />],
              [words.policy, <Mono key="policy" text={status.policy.slice(0, 12)} />],
              [words.autonomy, status.autonomy],
              [words.runs, words.runCounts(runs.running, runs.parked, runs.queued)],
              [words.waiting, words.pending(pending.approvals, pending.questions)],
              [
                words.disk,
                words.diskUse(
                  sizeWords(disk.free),
                  sizeWords(disk.database),
                  sizeWords(disk.workspace),
                  sizeWords(disk.executor + disk.logs),
                ),
              ],
              [words.connected, words.clients(status.clients)],
            ]}
          />
        </Sheet>
      </Section>
    </>
  )
}

function modelWords({ provider, model, state, problem }: Status['model']): string {
  const which = `${provider}, ${model}`
  if (state === 'untried') return words.untried(which)
  return problem === null ? which : words.problem(which, problem)
}

function Part({ name, isWell, detail }: { name: string; isWell: boolean; detail: ReactNode }) {
  const Icon = isWell ? CircleCheck : OctagonAlert
  return (
    <Sheet className={isWell ? '' : 'border-bad'}>
      <div className="flex items-center gap-2">
        <Icon size={16} strokeWidth={1.75} aria-hidden className={isWell ? 'text-ok' : 'text-bad'} />
        <h2 className="text-base">{name}</h2>
        <span className={classes('ms-auto text-small', isWell ? 'text-ink-3' : 'font-medium text-bad')}>
          {isWell ? words.works : words.broken}
        </span>
      </div>
      <p className="mt-1 text-small text-ink-2">{detail}</p>
    </Sheet>
  )
}

/** Every entry is hashed again, which takes a while: only on request. */
function LedgerCheck() {
  const [asked, setAsked] = useState(false)
  const report = useGateway(['ledger', 'verify'], (client) => client.verifyLedger(), { enabled: asked })
  return (
    <Section level={2} title={words.ledgerCheck}>
      <Sheet>
        {asked ? (
          <Loaded query={report}>
            {({ ok, size, signed, problem }) => (
              <p className={ok ? '' : 'font-medium text-bad'}>
                {ok ? words.intact(size, signed) : words.notIntact(problem ?? words.noReason)}
              </p>
            )}
          </Loaded>
        ) : (
          <Button onClick={() => setAsked(true)}>{words.checkEntries}</Button>
        )}
      </Sheet>
    </Section>
  )
}

/** The same state has the same hash, here and there. */
function PageCheck() {
  const { live, client } = useServices()
  const [said, setSaid] = useState<string | null>(null)
  const check = async () => {
    setSaid(words.comparing)
    const { state } = live.get()
    try {
      const [mine, theirs] = await Promise.all([sha256Hex(liveText(state)), client.liveHash(state.seq)])
      setSaid(mine === theirs.hash ? words.same(state.seq) : words.different(state.seq))
    } catch (error) {
      setSaid(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <Section level={2} title={words.pageCheck}>
      <Sheet className="flex flex-wrap items-center gap-3">
        <Button onClick={() => void check()}>{words.compare}</Button>
        <p role="status">{said}</p>
      </Sheet>
    </Section>
  )
}
