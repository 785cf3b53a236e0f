/**
 * Owns how a call comes to its e-mail account. A model says a name at most; the product puts in the account as the
 * operator set it up, before anything is decided, so that the permit binds it. Nobody else can put one in.
 */
import {
  AccountName,
  canonicalText,
  type JsonObject,
  MailAccount,
  mailTools,
  type ParsedArgs,
  type ToolFacts,
} from '@countersign/contract'
import { accountIn } from './email-id.ts'

export const accountInput = {
  account: AccountName.exactOptional().describe('Name of the account, where there are several'),
  mailbox: MailAccount.exactOptional(),
}

export type AccountArgs = { readonly account?: string; readonly mailbox?: MailAccount }

/** Whose mailbox it is, for a headline; empty where nobody said. */
export function whose({ account, mailbox }: AccountArgs): string {
  const name = mailbox?.address ?? account
  return name === undefined ? '' : ` of ${name}`
}

export const noAccount =
  'There is no e-mail account. The operator sets one up with `countersign mail add`, and tries it with `countersign mail test`.'

/** Settles which account a call is for; the facts of other tools stay as they are. */
export function withMailAccounts(facts: ToolFacts, accounts: readonly MailAccount[]): ToolFacts {
  if (!(mailTools as readonly string[]).includes(facts.name)) return facts
  return { ...facts, parse: (value) => parseFor(facts, accounts, value) }
}

function parseFor(facts: ToolFacts, accounts: readonly MailAccount[], value: unknown): ParsedArgs {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return facts.parse(value)
  const { mailbox, ...rest } = value as JsonObject
  const invalid = (problem: string): ParsedArgs => ({ kind: 'invalid', problems: [problem] })
  if (accounts.length === 0) return invalid(noAccount)
  const chosen = chosenFrom(rest, accounts)
  if (typeof chosen === 'string') return invalid(chosen)
  // A call of the product's own, as an undo, holds the account as it was; it is nobody's to change.
  if (mailbox !== undefined && canonicalText(mailbox) !== canonicalText(chosen))
    return invalid(`the e-mail account ${chosen.name} was changed meanwhile`)
  return facts.parse({ ...rest, account: chosen.name, mailbox: chosen })
}

function chosenFrom(
  { account, emailId }: JsonObject,
  accounts: readonly MailAccount[],
): MailAccount | string {
  const names = accounts.map(({ name }) => name).join(', ')
  const ofEmail = typeof emailId === 'string' ? accountIn(emailId) : undefined
  const wanted = ofEmail ?? account
  if (ofEmail !== undefined && account !== undefined && account !== ofEmail)
    return `account: the e-mail belongs to the account ${ofEmail}`
  const [only, ...others] = accounts
  if (wanted === undefined) return only && others.length === 0 ? only : `account: say which one: ${names}`
  const found = accounts.find(({ name, address }) => name === wanted || address === wanted)
  return found ?? `account: there is none of this name, only ${names}`
}
