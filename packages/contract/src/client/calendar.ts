/** The part of the typed client that speaks of calendar accounts. */
import type { SettleConflict, StoreCalendarAccount } from '../api-calendar.ts'
import { calendarRoutes } from '../routes/calendar.ts'
import type { Call } from './call.ts'

/** A first sync fetches everything. */
const longestSyncMs = 300_000

export function calendarCalls(call: Call) {
  return {
    calendarAccounts: () => call(calendarRoutes.calendarAccounts),
    storeCalendarAccount: (name: string, account: StoreCalendarAccount) =>
      call(calendarRoutes.storeCalendarAccount, { params: { name }, body: account }),
    removeCalendarAccount: (name: string) => call(calendarRoutes.removeCalendarAccount, { params: { name } }),
    syncCalendarAccount: (name: string) =>
      call(calendarRoutes.syncCalendarAccount, { params: { name } }, longestSyncMs),
    syncConflicts: () => call(calendarRoutes.syncConflicts),
    settleConflict: (id: string, verdict: SettleConflict) =>
      call(calendarRoutes.settleConflict, { params: { id }, body: verdict }),
  }
}
