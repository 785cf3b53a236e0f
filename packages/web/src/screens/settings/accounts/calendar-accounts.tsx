/** Calendar accounts: how each stands with its server, and everything that can be done with one. Never a password. */
import type { CalendarAccountView, SyncReport } from '@countersign/contract'
import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useAskedFor } from '../../../environment/asked-for.ts'
import { useChange, useGateway } from '../../../environment/queries.ts'
import { Button, Facts, FormDialog, Link, Menu, Safe, Time, useNotify } from '../../../kit/index.ts'
import { words } from '../../../words/accounts.ts'
import { AccountCard, AccountList } from './account-list.tsx'
import { CalendarConflicts } from './calendar-conflicts.tsx'
import { CalendarForm } from './calendar-form.tsx'

export function CalendarAccounts() {
  const accounts = useGateway(['calendar-accounts'], (client) => client.calendarAccounts())
  const [adding, setAdding] = useState(false)
  useAskedFor('add-calendar', () => setAdding(true))
  return (
    <>
      <AccountList
        {...words.calendar.list}
        accounts={accounts}
        onAdd={() => setAdding(true)}
        card={(account) => <CalendarCard account={account} />}
      />
      {accounts.data?.some(({ conflicts }) => conflicts > 0) === true ? <CalendarConflicts /> : null}
      {adding ? (
        <CalendarForm
          taken={(accounts.data ?? []).map(({ name }) => name)}
          onClose={() => setAdding(false)}
        />
      ) : null}
    </>
  )
}

function CalendarCard({ account }: { account: CalendarAccountView }) {
  const { name, url, user, events, contacts, lastSyncAt } = account
  const [opened, setOpened] = useState<'change' | 'remove' | null>(null)
  const close = () => setOpened(null)
  const notify = useNotify()
  const sync = useChange(
    (client) => client.syncCalendarAccount(name),
    [['calendar-accounts'], ['calendar-conflicts'], ['approvals']],
  )
  const syncNow = () =>
    sync.mutate(undefined, {
      onSuccess: (report) =>
        notify(
          report.problem === null ? { text: reportWords(report) } : { text: report.problem, tone: 'bad' },
        ),
      onError: (error) => notify({ text: error.message, tone: 'bad' }),
    })
  return (
    <AccountCard
      name={name}
      menu={
        <>
          <Button size="small" icon={RefreshCw} busy={sync.isPending} onClick={syncNow}>
            {words.calendar.sync}
          </Button>
          <Menu
            label={words.more}
            items={[
              { label: words.change, run: () => setOpened('change') },
              { label: words.remove, run: () => setOpened('remove') },
            ]}
          />
        </>
      }
    >
      <Facts
        className="mt-2"
        rows={[
          [words.calendar.server, <Safe key="server" text={url} />],
          [words.user, <Safe key="user" text={user} />],
          [words.calendar.direction, words.calendar.directions[directionOf(account)]],
          [words.calendar.synced, words.calendar.entries(events, contacts)],
          [words.calendar.lastSync, lastSyncAt === null ? words.never : <Time key="last" at={lastSyncAt} />],
        ]}
      />
      <CalendarNotes account={account} />
      {opened === 'change' ? <CalendarForm account={account} taken={[]} onClose={close} /> : null}
      {opened === 'remove' ? <RemoveCalendar name={name} onClose={close} /> : null}
    </AccountCard>
  )
}

/** What a person has to know of an account: why it failed, and what waits for whom. */
function CalendarNotes({ account }: { account: CalendarAccountView }) {
  const { problem, asking, staysHere, unreadable } = account
  return (
    <div className="mt-2 space-y-1 text-small text-ink-2 empty:hidden">
      {problem === null ? null : (
        <p className="font-medium text-bad">
          <Safe text={problem} />
        </p>
      )}
      {asking === 0 ? null : (
        <p>
          {words.calendar.asking(asking)} <Link to="/approvals">{words.calendar.review}</Link>
        </p>
      )}
      {staysHere === 0 ? null : <p>{words.calendar.staysHere(staysHere)}</p>}
      {unreadable === 0 ? null : <p>{words.calendar.unreadable(unreadable)}</p>}
    </div>
  )
}

function RemoveCalendar({ name, onClose }: { name: string; onClose: () => void }) {
  const notify = useNotify()
  const remove = useChange(
    (client) => client.removeCalendarAccount(name),
    [['calendar-accounts'], ['calendar-conflicts'], ['secrets']],
  )
  return (
    <FormDialog
      title={words.removeTitle(name)}
      description={words.calendar.removeAbout}
      tone="danger"
      submit={words.remove}
      onClose={onClose}
      onSubmit={async () => {
        const { ledger } = await remove.mutateAsync()
        notify({ text: words.removed(name, ledger) })
      }}
    />
  )
}

function reportWords(report: SyncReport): string {
  const { conflicts } = report
  const said = words.calendar.ended(report)
  return conflicts === 0 ? said : `${said} ${words.calendar.conflicts(conflicts)}`
}

const directionOf = ({ direction, receivesNew }: CalendarAccountView) =>
  direction === 'pull' ? 'pull' : receivesNew ? 'new' : 'both'
