/** Owns what the tools of calendar accounts touch, in the words of policy. */
import type { CalendarAccount, Effect, Label } from '@countersign/contract'
import type { EffectsResult } from '../definition.ts'
import type { Inspector } from '../inspector.ts'
import { type CalendarAccountArgs, noAccount } from './account-argument.ts'

/** Anybody may have written what is on the server, an invitation among them, and it is the operator's. */
export const syncedLabel = (account: string): Label => ({
  integrity: 'untrusted',
  confidentiality: 'private',
  sources: [`calendar account ${account}`],
})

export const serverLabel: Label = {
  integrity: 'untrusted',
  confidentiality: 'private',
  sources: ['calendar account'],
}

/** Stands for all methods of CalDAV and CardDAV at one server. */
export const calendarMethod = 'DAV'

export function serverEffects(
  account: CalendarAccount | undefined,
  effects: readonly Effect[],
  inspect: Inspector,
): EffectsResult {
  if (!account) return { kind: 'invalid', reason: noAccount }
  const seen = inspect.url(account.url, calendarMethod)
  if (seen.kind === 'refused')
    return {
      kind: 'invalid',
      reason: `${seen.reason} Name it under localTargets in the configuration, if it is yours.`,
    }
  return { kind: 'found', resources: [{ ...seen.resource, carries: 'more' }], effects }
}

const accountSecrets = ({ server }: CalendarAccountArgs): string[] => (server ? [server.secret] : [])

/** What every tool of calendar accounts has in common. The product calls them, and nobody else can. */
export const syncTool = {
  category: 'sync',
  group: 'calendar',
  hidden: true,
  byHand: true,
  egress: 'checked',
  sandbox: 'documents',
  filled: 'server',
  tags: ['calendar', 'contacts', 'sync', 'caldav', 'carddav'],
  secrets: accountSecrets,
  serviceKeys: accountSecrets,
} as const
