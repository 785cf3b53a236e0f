/** The part of the typed client that speaks of e-mail accounts. */
import type { StoreMailAccount } from '../api-mail.ts'
import type { BeginSignIn, EndSignIn } from '../api-oauth.ts'
import type { Call } from './call.ts'

/** Loaded with the first call: a page that never speaks of accounts is there sooner without them. */
const routes = async () => (await import('../routes/mail.ts')).mailRoutes

export function mailCalls(call: Call) {
  return {
    mailAccounts: async () => call((await routes()).mailAccounts),
    storeMailAccount: async (name: string, account: StoreMailAccount) =>
      call((await routes()).storeMailAccount, { params: { name }, body: account }),
    beginMailSignIn: async (name: string, sign: BeginSignIn) =>
      call((await routes()).beginMailSignIn, { params: { name }, body: sign }),
    endMailSignIn: async (name: string, end: EndSignIn) =>
      call((await routes()).endMailSignIn, { params: { name }, body: end }),
    setMailSearchable: async (name: string, searchable: boolean) =>
      call((await routes()).setMailSearchable, { params: { name }, body: { searchable } }),
    removeMailAccount: async (name: string) => call((await routes()).removeMailAccount, { params: { name } }),
  }
}
