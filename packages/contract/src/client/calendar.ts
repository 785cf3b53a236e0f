/** The part of the typed client that speaks of calendar accounts. */
import type { SettleConflict, StoreCalendarAccount } from '../api-calendar.ts'
import type { Call } from './call.ts'

/** A first sync fetches everything. */
const longestSyncMs = 300_000

/** Loaded with the first call, as those of e-mail. */
const routes = async () => (await import('../routes/calendar.ts')).calendarRoutes

export function calendarCalls(call: Call) {
  return {
    calendarAccounts: async () => call((await routes()).calendarAccounts),
    storeCalendarAccount: async (name: string, account: StoreCalendarAccount) =>
      call((await routes()).storeCalendarAccount, { params: { name }, body: account }),
    removeCalendarAccount: async (name: string) =>
      call((await routes()).removeCalendarAccount, { params: { name } }),
    syncCalendarAccount: async (name: string) =>
      call((await routes()).syncCalendarAccount, { params: { name } }, longestSyncMs),
    syncConflicts: async () => call((await routes()).syncConflicts),
    settleConflict: async (id: string, verdict: SettleConflict) =>
      call((await routes()).settleConflict, { params: { id }, body: verdict }),
  }
}
