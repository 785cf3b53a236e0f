/** The Health screen: whether each part works, and whether this page shows what the gateway has. */
import { liveText, type Status } from '@countersign/contract'
import { CircleCheck, OctagonAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Screen } from '../../app/destinations.ts'
import { useServices } from '../../app/services.tsx'
import { sha256Hex } from '../../data/digest.ts'
import { useGateway, useStatus } from '../../data/queries.ts'
import {
  Button,
  Commands,
  classes,
  Facts,
  Loaded,
  Mono,
  Page,
  Safe,
  Section,
  Sheet,
  Time,
} from '../../kit/index.ts'
import { sizeWords } from '../../language/format.ts'
import { countWords, numberWords } from '../../language/plural.ts'

export const screen: Screen = { component: HealthScreen }

function HealthScreen() {
  const status = useStatus()
  return (
    <Page title="Health">
      <Loaded query={status}>{(data) => <Parts status={data} />}</Loaded>
      <div className="grid gap-x-3 sm:grid-cols-2">
        <LedgerCheck />
        <PageCheck />
      </div>
      <Section level={2} title="In a terminal">
        <Commands
          rows={[
            ['Look for everything that is wrong', 'countersign doctor'],
            ['Mend what can be mended', 'countersign doctor --fix --dry-run'],
            ['Read the log', 'countersign service logs -f'],
          ]}
        />
      </Section>
    </Page>
  )
}

function Parts({ status }: { status: Status }) {
  const { database, executor, model, ledger, runs, pending, disk } = status
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        <Part
          name="Database"
          isWell={database.ok}
          detail={<Safe text={database.problem ?? database.mode} />}
        />
        <Part
          name="Executor"
          isWell={executor.ok}
          detail={
            <>
              sandbox <Safe text={executor.sandbox} />
            </>
          }
        />
        <Part name="Model" isWell={model.ok} detail={<Safe text={modelWords(model)} />} />
        <Part
          name="Ledger"
          isWell={ledger.writable}
          detail={`${countWords(ledger.size, 'entry', 'entries')}, ${numberWords(ledger.signed)} signed`}
        />
      </div>
      <Section level={2} title="Gateway">
        <Sheet>
          <Facts
            rows={[
              ['Version', status.version],
              ['Address', <Mono key="url" text={status.url} />],
              ['Running since', <Time key="since" at={status.startedAt} />],
              ['Policy', <Mono key="policy" text={status.policy.slice(0, 12)} />],
              ['Autonomy', status.autonomy],
              ['Runs', `${runs.running} running, ${runs.parked} waiting, ${runs.queued} queued`],
              [
                'Waiting for you',
                `${countWords(pending.approvals, 'approval')}, ${countWords(pending.questions, 'question')}`,
              ],
              [
                'Disk',
                `${sizeWords(disk.free)} free; database ${sizeWords(disk.database)}, workspace ${sizeWords(disk.workspace)}, rest ${sizeWords(disk.executor + disk.logs)}`,
              ],
              ['Connected', countWords(status.clients, 'page or terminal', 'pages and terminals')],
            ]}
          />
        </Sheet>
      </Section>
    </>
  )
}

function modelWords({ provider, model, state, problem }: Status['model']): string {
  const which = `${provider}, ${model}`
  if (state === 'untried') return `${which}, not tried yet`
  return problem === null ? which : `${which}: ${problem}`
}

function Part({ name, isWell, detail }: { name: string; isWell: boolean; detail: ReactNode }) {
  const Icon = isWell ? CircleCheck : OctagonAlert
  return (
    <Sheet className={isWell ? '' : 'border-bad'}>
      <div className="flex items-center gap-2">
        <Icon size={16} strokeWidth={1.75} aria-hidden className={isWell ? 'text-ok' : 'text-bad'} />
        <h2 className="text-base">{name}</h2>
        <span className={classes('ms-auto text-small', isWell ? 'text-ink-3' : 'font-medium text-bad')}>
          {isWell ? 'works' : 'does not work'}
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
    <Section level={2} title="Is the ledger whole?">
      <Sheet>
        {asked ? (
          <Loaded query={report}>
            {({ ok, size, signed, problem }) => (
              <p className={ok ? '' : 'font-medium text-bad'}>
                {ok
                  ? `Yes: ${countWords(size, 'entry', 'entries')} hashed again, ${signed} signed.`
                  : `No: ${problem ?? 'it does not fit together'}`}
              </p>
            )}
          </Loaded>
        ) : (
          <Button onClick={() => setAsked(true)}>Check every entry</Button>
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
    setSaid('Comparing…')
    const { state } = live.get()
    try {
      const [mine, theirs] = await Promise.all([sha256Hex(liveText(state)), client.liveHash(state.seq)])
      setSaid(
        mine === theirs.hash
          ? `Yes: the same at event ${state.seq}.`
          : `No: it differs at event ${state.seq}. Load the page again.`,
      )
    } catch (error) {
      setSaid(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <Section level={2} title="Does this page show what the gateway has?">
      <Sheet className="flex flex-wrap items-center gap-3">
        <Button onClick={() => void check()}>Compare</Button>
        <p role="status">{said}</p>
      </Sheet>
    </Section>
  )
}
