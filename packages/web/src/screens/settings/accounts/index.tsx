/** The accounts that the assistant works with: e-mail, and the servers of calendars and contacts. */
import { CalendarAccounts } from './calendar-accounts.tsx'
import { MailAccounts } from './mail-accounts.tsx'

export function Accounts() {
  return (
    <div className="space-y-8">
      <MailAccounts />
      <CalendarAccounts />
    </div>
  )
}
