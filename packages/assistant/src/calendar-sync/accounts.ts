/** Owns where the operator's calendar accounts stand among their records. */
import { CalendarAccount, type Records } from '@countersign/contract'

export const calendarAccountsCollection = 'calendar_accounts'
export const mostCalendarAccounts = 10

/** As the records hold them, by name. */
export async function calendarAccountsIn(records: Records): Promise<CalendarAccount[]> {
  const { records: rows } = await records.list(calendarAccountsCollection, { limit: mostCalendarAccounts })
  return rows
    .map(({ data }) => CalendarAccount.parse(data))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
}
