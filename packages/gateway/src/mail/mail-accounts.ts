/**
 * Owns the operator's e-mail accounts: what stands in their records, and the password or client secret in the vault,
 * pinned to the account's places and the e-mail tools. No tool reaches it.
 */
import type { Assistant } from '@countersign/assistant'
import {
  CountersignError,
  MailAccount,
  type MailAccountStored,
  type MailAccountView,
  type MailSearch,
  type MailSearchableSet,
  mailAccountsCollection,
  mailClientSecretName,
  mailDestinations,
  mailGrantName,
  mailSecretName,
  mailTools,
  type OperatorId,
  type StoreMailAccount,
} from '@countersign/contract'
import type { RecordTransactions } from '@countersign/kernel'
import { type AccountSecrets, putAccount, removePassword, storePassword } from '../accounts/account-store.ts'
import type { ActingOperator } from '../server/secrets.ts'
import { accountsIn, mostAccounts } from './account-records.ts'

export interface MailAccountParts {
  readonly records: Pick<RecordTransactions, 'read' | 'change'>
  readonly secrets: AccountSecrets
  readonly search: Pick<Assistant['services']['mailIndex'], 'list' | 'set'>
  /** Whether the tools for it are switched on. */
  readonly enabled: (operator: OperatorId) => Promise<boolean>
}

export interface MailAccounts {
  list(operator: OperatorId): Promise<MailAccountView[]>
  store(by: ActingOperator, name: string, account: StoreMailAccount): Promise<MailAccountStored>
  setSearchable(by: ActingOperator, name: string, searchable: boolean): Promise<MailSearchableSet>
  remove(by: ActingOperator, name: string): Promise<{ name: string; ledger: number }>
}

export function createMailAccounts({ records, secrets, search, enabled }: MailAccountParts): MailAccounts {
  const list = (operator: OperatorId) => records.read(operator, ({ records: rows }) => accountsIn(rows))
  const searchesOf = (operator: OperatorId) => records.read(operator, search.list)
  const shown = async (
    account: MailAccount,
    searches: ReadonlyMap<string, MailSearch>,
  ): Promise<MailAccountView> => ({
    ...account,
    signedIn: (await secrets.list()).some(({ name }) => name === account.secret),
    search: searches.get(account.name) ?? null,
  })
  return {
    async list(operator) {
      const searches = await searchesOf(operator)
      return Promise.all((await list(operator)).map((account) => shown(account, searches)))
    },
    async store(by, name, given) {
      const known = await list(by.operator)
      const before = known.find((each) => each.name === name)
      if (!before && known.length >= mostAccounts)
        throw new CountersignError('limit_reached', `There are ${mostAccounts} e-mail accounts already.`, {
          next: 'Remove one with `countersign mail remove`.',
        })
      const account = accountFrom(name, given)
      await storeOpening(by, { account, before, given }, secrets)
      const { ledger } = await records.change(by.operator, async (unit) => {
        await putAccount(unit.records, mailAccountsCollection, account)
        const { address, imap, smtp, oauth } = account
        const signsInAt = oauth ? { signsInAt: oauth.tokenUrl } : {}
        unit.record({
          type: 'mail.account_stored',
          actor: by.actor,
          data: { name, address, imap, smtp, ...signsInAt, replaced: before !== undefined },
        })
      })
      return {
        account: await shown(account, await searchesOf(by.operator)),
        replaced: before !== undefined,
        enabled: await enabled(by.operator),
        ledger,
      }
    },
    setSearchable: (by, name, searchable) => search.set(name, searchable, by.actor),
    async remove(by, name) {
      const account = (await list(by.operator)).find((each) => each.name === name)
      if (!account)
        throw new CountersignError('not_found', `There is no e-mail account ${name}.`, {
          next: 'List them with `countersign mail list`.',
        })
      const { ledger } = await records.change(by.operator, async (unit) => {
        const row = await unit.records.get(mailAccountsCollection, name)
        if (row) await unit.records.remove(mailAccountsCollection, name, row.version)
        unit.record({
          type: 'mail.account_removed',
          actor: by.actor,
          data: { name, address: account.address },
        })
      })
      for (const secret of openings(name)) await removePassword(by, secret, secrets)
      return { name, ledger }
    },
  }
}

/** Whatever may open an account of this name. */
const openings = (name: string) => [mailSecretName(name), mailGrantName(name), mailClientSecretName(name)]

function accountFrom(name: string, { password: _password, oauth, ...given }: StoreMailAccount): MailAccount {
  if (!oauth) return MailAccount.parse({ ...given, name, secret: mailSecretName(name) })
  const { clientSecret, ...client } = oauth
  const named = { ...client, clientSecret: clientSecret === undefined ? null : mailClientSecretName(name) }
  return MailAccount.parse({ ...given, name, secret: mailGrantName(name), oauth: named })
}

/** Stores what opens it, and removes what opened it in another way or at another place. */
async function storeOpening(
  by: ActingOperator,
  {
    account,
    before,
    given,
  }: {
    readonly account: MailAccount
    readonly before: MailAccount | undefined
    readonly given: StoreMailAccount
  },
  secrets: AccountSecrets,
): Promise<void> {
  const { name, secret, oauth } = account
  const destinations = mailDestinations(account)
  const pinned = { destinations, before: before && mailDestinations(before), tools: mailTools }
  const command = 'countersign mail add'
  if (!oauth) {
    const { password } = given
    const description = `Password of ${account.address}`
    await storePassword(by, { ...pinned, secret, description, password, command }, secrets)
  } else if (oauth.clientSecret !== null) {
    const description = `Client secret of ${account.address}`
    const password = given.oauth?.clientSecret
    await storePassword(
      by,
      { ...pinned, secret: oauth.clientSecret, description, password, command },
      secrets,
    )
  }
  const isSame = before && signedInAs(before) === signedInAs(account)
  const kept = [...(isSame || !oauth ? [secret] : []), oauth?.clientSecret]
  for (const old of openings(name)) if (!kept.includes(old)) await removePassword(by, old, secrets)
}

/** A sign-in is one of this person, for this client, at these places. */
function signedInAs(account: MailAccount): string {
  const { clientId, scopes } = account.oauth ?? {}
  return JSON.stringify([account.user, clientId, scopes, mailDestinations(account)])
}
