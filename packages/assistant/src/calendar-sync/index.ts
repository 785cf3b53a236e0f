export { calendarAccountsCollection, calendarAccountsIn, mostCalendarAccounts } from './accounts.ts'
export { createCalendarSync } from './calendar-sync.ts'
export { calendarSyncMigration } from './migration.ts'
