/** The part of the typed client that speaks of e-mail accounts. */
import type { StoreMailAccount } from '../api-mail.ts'
import { mailRoutes } from '../routes/mail.ts'
import type { Call } from './call.ts'

export function mailCalls(call: Call) {
  return {
    mailAccounts: () => call(mailRoutes.mailAccounts),
    storeMailAccount: (name: string, account: StoreMailAccount) =>
      call(mailRoutes.storeMailAccount, { params: { name }, body: account }),
    removeMailAccount: (name: string) => call(mailRoutes.removeMailAccount, { params: { name } }),
  }
}
