/** Owns what the e-mail tools touch, in the words of policy. */
import { type Effect, type Label, type MailAccount, type Resource, unprovenMail } from '@countersign/contract'
import type { EffectsResult } from '../definition.ts'
import type { Inspector } from '../inspector.ts'
import { noAccount } from './account-argument.ts'
import type { SenderCheck } from './sender-check.ts'

/** Whoever writes an e-mail is a stranger, and what they write to the operator is the operator's. */
export const mailLabel: Label = { integrity: 'untrusted', confidentiality: 'private', sources: ['e-mail'] }

/** Of a result with e-mails of which not every sender is proven, policy is told so. */
export function labelOfSenders(senders: readonly (SenderCheck | null)[]): { label?: Label } {
  if (senders.every((sender) => sender?.proven === true)) return {}
  return { label: { ...mailLabel, sources: [unprovenMail] } }
}

/** Of a result that says nothing but what we did. */
export const ownMailLabel: Label = { integrity: 'tool', confidentiality: 'private', sources: [] }

export const mailRate = { calls: 60, seconds: 60 } as const

const inside = { scope: 'inside', reversible: true, outward: false } as const

export const looksAt = (object: string): Effect => ({ verb: 'read', object, ...inside, leaves: [] })
export const changes = (verb: 'write' | 'delete', object: string): Effect => ({
  verb,
  object,
  ...inside,
  leaves: [],
})

/** How a permit names the place that gives tokens. */
export const oauthMethod = 'OAUTH'

/** The servers of the account, and what is done there. */
export function mailEffects(
  account: MailAccount | undefined,
  protocols: readonly ('IMAP' | 'SMTP')[],
  effects: readonly Effect[],
  inspect: Inspector,
): EffectsResult {
  if (!account) return { kind: 'invalid', reason: noAccount }
  const resources: Resource[] = []
  for (const protocol of protocols) {
    const server = protocol === 'IMAP' ? account.imap : account.smtp
    const seen = inspect.mailServer(server, protocol)
    if (seen.kind === 'refused') return { kind: 'invalid', reason: seen.reason }
    resources.push(seen.resource)
  }
  const giver = account.oauth && inspect.url(account.oauth.tokenUrl, oauthMethod)
  if (giver?.kind === 'refused')
    return {
      kind: 'invalid',
      reason: `${giver.reason} Name it under localTargets in the configuration, if it is yours.`,
    }
  if (giver) resources.push({ ...giver.resource, carries: 'more' })
  return { kind: 'found', resources, effects }
}

/** What opens the account goes to the places that the operator named for it, and no argument says which these are. */
export function mailSecrets({ mailbox }: { readonly mailbox?: MailAccount }): string[] {
  const clientSecret = mailbox?.oauth?.clientSecret ?? undefined
  return [...(mailbox ? [mailbox.secret] : []), ...(clientSecret === undefined ? [] : [clientSecret])]
}

/** What every e-mail tool has in common. */
export const mailTool = {
  category: 'mail',
  group: 'email',
  egress: 'checked',
  filled: 'mailbox',
  rate: mailRate,
  secrets: mailSecrets,
  serviceKeys: mailSecrets,
} as const
