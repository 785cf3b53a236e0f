/**
 * Owns the operator's e-mail accounts: what stands in their records, and the password in the vault, pinned to the two
 * servers and the e-mail tools. No tool reaches it.
 */
import {
  CountersignError,
  MailAccount,
  type MailAccountStored,
  mailAccountsCollection,
  mailDestinations,
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
  /** Whether the tools for it are switched on. */
  readonly enabled: (operator: OperatorId) => Promise<boolean>
}

export interface MailAccounts {
  list(operator: OperatorId): Promise<MailAccount[]>
  store(by: ActingOperator, name: string, account: StoreMailAccount): Promise<MailAccountStored>
  remove(by: ActingOperator, name: string): Promise<{ name: string; ledger: number }>
}

export function createMailAccounts({ records, secrets, enabled }: MailAccountParts): MailAccounts {
  const list = (operator: OperatorId) => records.read(operator, ({ records: rows }) => accountsIn(rows))
  return {
    list,
    async store(by, name, { password, ...given }) {
      const known = await list(by.operator)
      const before = known.find((each) => each.name === name)
      if (!before && known.length >= mostAccounts)
        throw new CountersignError('limit_reached', `There are ${mostAccounts} e-mail accounts already.`, {
          next: 'Remove one with `countersign mail remove`.',
        })
      const account = MailAccount.parse({ ...given, name, secret: mailSecretName(name) })
      await storePassword(
        by,
        {
          secret: account.secret,
          description: `Password of ${account.address}`,
          destinations: mailDestinations(account),
          before: before && mailDestinations(before),
          tools: mailTools,
          password,
          command: 'countersign mail add',
        },
        secrets,
      )
      const { ledger } = await records.change(by.operator, async (unit) => {
        await putAccount(unit.records, mailAccountsCollection, account)
        const { address, imap, smtp } = account
        unit.record({
          type: 'mail.account_stored',
          actor: by.actor,
          data: { name, address, imap, smtp, replaced: before !== undefined },
        })
      })
      return { account, replaced: before !== undefined, enabled: await enabled(by.operator), ledger }
    },
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
      await removePassword(by, account.secret, secrets)
      return { name, ledger }
    },
  }
}
