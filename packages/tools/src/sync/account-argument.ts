/** Owns how a call comes to its calendar account: the product puts in the account as the operator set it up. */
import {
  AccountName,
  CalendarAccount,
  calendarAccountTools,
  canonicalText,
  type JsonObject,
  type ParsedArgs,
  type ToolFacts,
} from '@countersign/contract'

export const accountInput = {
  account: AccountName.describe('Name of the calendar account'),
  server: CalendarAccount.exactOptional(),
}

export type CalendarAccountArgs = { readonly account: string; readonly server?: CalendarAccount }

export const noAccount =
  'There is no such calendar account. Set one up with `countersign calendar-account add`.'

export function withCalendarAccounts(facts: ToolFacts, accounts: readonly CalendarAccount[]): ToolFacts {
  if (!(calendarAccountTools as readonly string[]).includes(facts.name)) return facts
  return { ...facts, parse: (value) => parseFor(facts, accounts, value) }
}

function parseFor(facts: ToolFacts, accounts: readonly CalendarAccount[], value: unknown): ParsedArgs {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return facts.parse(value)
  const { server, ...rest } = value as JsonObject
  const known = accounts.find(({ name }) => name === rest['account'])
  if (!known) return { kind: 'invalid', problems: [noAccount] }
  if (server !== undefined && canonicalText(server) !== canonicalText(known))
    return { kind: 'invalid', problems: [`the calendar account ${known.name} was changed meanwhile`] }
  return facts.parse({ ...rest, server: known })
}
