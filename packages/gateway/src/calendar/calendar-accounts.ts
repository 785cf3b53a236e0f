/**
 * Owns the operator's calendar accounts: what stands in their records, and the password in the vault, pinned to the
 * server and the tools of calendar accounts. No tool reaches it.
 */
import {
  type Assistant,
  calendarAccountsCollection,
  calendarAccountsIn,
  mostCalendarAccounts,
} from '@countersign/assistant'
import {
  CalendarAccount,
  type CalendarAccountStored,
  CountersignError,
  calendarAccountTools,
  calendarDestination,
  calendarSecretName,
  type Destination,
  eventsCollection,
  type OperatorId,
  type StoreCalendarAccount,
} from '@countersign/contract'
import type { RecordTransactions } from '@countersign/kernel'
import { type AccountSecrets, putAccount, removePassword, storePassword } from '../accounts/account-store.ts'
import type { ActingOperator } from '../server/secrets.ts'

export interface CalendarAccountParts {
  readonly records: Pick<RecordTransactions, 'read' | 'change'>
  readonly secrets: AccountSecrets
  readonly forget: Assistant['services']['calendarSync']['forget']
}

export interface CalendarAccounts {
  store(by: ActingOperator, name: string, account: StoreCalendarAccount): Promise<CalendarAccountStored>
  remove(by: ActingOperator, name: string): Promise<{ name: string; ledger: number }>
}

const placesOf = ({ url }: Pick<CalendarAccount, 'url'>): Destination[] => {
  const place = calendarDestination(url)
  return place ? [place] : []
}

export function createCalendarAccounts({ records, secrets, forget }: CalendarAccountParts): CalendarAccounts {
  const list = (operator: OperatorId) =>
    records.read(operator, ({ records: rows }) => calendarAccountsIn(rows))
  return {
    async store(by, name, { password, ...given }) {
      const known = await list(by.operator)
      const before = known.find((each) => each.name === name)
      if (!before && known.length >= mostCalendarAccounts)
        throw new CountersignError(
          'limit_reached',
          `There are ${mostCalendarAccounts} calendar accounts already.`,
          {
            next: 'Remove one with `countersign calendar-account remove`.',
          },
        )
      const rival = given.receivesNew
        ? known.find((each) => each.receivesNew && each.name !== name)
        : undefined
      if (rival)
        throw new CountersignError('conflict', `What is new goes to ${rival.name} already.`, {
          next: 'Leave --receives-new away, or take it from the other account first.',
        })
      const account = CalendarAccount.parse({ ...given, name, secret: calendarSecretName(name) })
      await storePassword(
        by,
        {
          secret: account.secret,
          description: `Password of the calendar account ${name}`,
          destinations: placesOf(account),
          before: before && placesOf(before),
          tools: calendarAccountTools,
          password,
          command: 'countersign calendar-account add',
        },
        secrets,
      )
      const { value: local, ledger } = await records.change(by.operator, async (unit) => {
        await putAccount(unit.records, calendarAccountsCollection, account)
        // Another server or another person: nothing that was known of entries holds any more.
        if (before && (before.url !== account.url || before.user !== account.user)) await forget(unit, name)
        const { url, user, direction, receivesNew } = account
        unit.record({
          type: 'calendar.account_stored',
          actor: by.actor,
          data: { name, url, user, direction, receivesNew, replaced: before !== undefined },
        })
        const events = (await unit.records.list(eventsCollection, { limit: 1 })).total
        return { events, contacts: (await unit.records.list('contacts', { limit: 1 })).total }
      })
      return { account, replaced: before !== undefined, local, ledger }
    },
    async remove(by, name) {
      const account = (await list(by.operator)).find((each) => each.name === name)
      if (!account)
        throw new CountersignError('not_found', `There is no calendar account ${name}.`, {
          next: 'List them with `countersign calendar-account list`.',
        })
      const { ledger } = await records.change(by.operator, async (unit) => {
        const row = await unit.records.get(calendarAccountsCollection, name)
        if (row) await unit.records.remove(calendarAccountsCollection, name, row.version)
        await forget(unit, name)
        unit.record({ type: 'calendar.account_removed', actor: by.actor, data: { name, url: account.url } })
      })
      await removePassword(by, account.secret, secrets)
      return { name, ledger }
    },
  }
}
