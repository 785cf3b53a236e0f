/** Owns where the operator's e-mail accounts stand among their records. */
import { MailAccount, mailAccountsCollection, type Records } from '@countersign/contract'

export const mostAccounts = 20

/** As the records hold them, by name. */
export async function accountsIn(records: Records): Promise<MailAccount[]> {
  const { records: rows } = await records.list(mailAccountsCollection, { limit: mostAccounts })
  return rows
    .map(({ data }) => MailAccount.parse(data))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
}
