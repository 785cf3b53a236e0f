/**
 * The capabilities on e-mail: the servers that the permit names, with the password or sign-in that it names. Refuses to
 * sign in where neither is kept for exactly that server.
 */
import {
  type ApprovalSubject,
  type Destination,
  type MailAccount,
  mailScheme,
  mailSignInCommand,
  oauthDestination,
} from '@countersign/contract'
import { type Failure, oauthMethod, type ToolCapabilities } from '@countersign/tools'
import type { DocumentPrograms } from '../documents/document-programs.ts'
import type { AddressPolicy, Lookup } from '../egress/resolve-checked.ts'
import { noSecrets, type SecretSource } from '../egress/secret-source.ts'
import { arrivedMail } from '../mail/arrived-mail.ts'
import { checkAccount } from '../mail/check-account.ts'
import type { SenderChecks } from '../mail/check-sender.ts'
import type { MailLogin } from '../mail/mail-login.ts'
import { moveMail } from '../mail/move-mail.ts'
import type { Outbox } from '../mail/outbox.ts'
import { listMail, readAttachment, readMail } from '../mail/read-mail.ts'
import { searchedMail } from '../mail/searched-mail.ts'
import { domainOf, keepDraft, sendMail, sentBefore } from '../mail/send-mail.ts'
import type { AccessTokens, GrantSource } from '../oauth/access-tokens.ts'
import { failure } from './failure.ts'

export interface MailParts {
  readonly places: AddressPolicy
  readonly secrets?: SecretSource
  /** For accounts that sign in by OAuth2. */
  readonly tokens?: AccessTokens | undefined
  readonly grants?: GrantSource | undefined
  readonly documents?: DocumentPrograms | undefined
  readonly outbox?: Outbox | undefined
  readonly senders?: SenderChecks | undefined
  readonly lookup?: Lookup | undefined
  /** Certificates besides those of this computer, for tests. */
  readonly ca?: string | undefined
}

type Protocol = 'IMAP' | 'SMTP'

export function mailCapabilities(
  subject: Pick<ApprovalSubject, 'resources' | 'sandbox' | 'nonce'>,
  parts: MailParts,
): ToolCapabilities['mail'] {
  const login = (account: MailAccount, protocols: readonly Protocol[]): MailLogin | Failure => {
    if (!protocols.every((protocol) => names(subject, protocol, placeOf(account, protocol))))
      return failure('The permit names another server.')
    if (account.oauth) return tokenLogin(account, protocols, subject, parts)
    const passwords = protocols.map((protocol) => passwordFor(account, protocol, parts))
    const [password] = passwords
    if (password === undefined || passwords.includes(undefined))
      return failure(
        `There is no password for ${account.address}. Set it with \`countersign mail add ${account.name}\`.`,
      )
    return { account, password }
  }
  const reading = (account: MailAccount) => {
    const { documents } = parts
    if (!documents || !subject.sandbox.startsWith('documents:'))
      return failure('There is no sandbox, and e-mails are opened nowhere else.')
    const known = login(account, ['IMAP'])
    return 'kind' in known ? known : { login: known, parts: { ...parts, documents } }
  }
  const sending = (account: MailAccount) => {
    const { outbox } = parts
    if (!outbox) return failure('Nothing can be sent from here.')
    const known = login(account, ['IMAP', 'SMTP'])
    return 'kind' in known
      ? known
      : { login: known, entry: outbox.entry(subject.nonce, domainOf(account)), parts }
  }
  return {
    async list(account, listing, signal) {
      const open = reading(account)
      return 'kind' in open ? open : listMail(open.login, listing, open.parts, signal)
    },
    async arrived(account, wanted, signal) {
      const open = reading(account)
      return 'kind' in open ? open : arrivedMail(open.login, wanted, open.parts, signal)
    },
    async searched(account, known, signal) {
      const open = reading(account)
      return 'kind' in open ? open : searchedMail(open.login, known, open.parts, signal)
    },
    async read(account, place, signal) {
      const open = reading(account)
      return 'kind' in open ? open : readMail(open.login, place, open.parts, signal)
    },
    async attachment(account, place, number, signal) {
      const open = reading(account)
      return 'kind' in open ? open : readAttachment(open.login, { place, number }, open.parts, signal)
    },
    async send(account, mail, signal) {
      const open = sending(account)
      return 'kind' in open ? open : sendMail(open.login, mail, open, signal)
    },
    async sent(account) {
      const open = sending(account)
      return 'kind' in open ? undefined : sentBefore(open.login, open.entry, parts)
    },
    async draft(account, mail, signal) {
      const known = login(account, ['IMAP'])
      if ('kind' in known) return known
      const entry = parts.outbox?.entry(subject.nonce, domainOf(account))
      if (!entry) return failure('Nothing can be kept from here.')
      return keepDraft(known, mail, { messageId: entry.messageId, parts }, signal)
    },
    async move(account, place, to, signal) {
      const known = login(account, ['IMAP'])
      return 'kind' in known ? known : moveMail(known, { place, to }, parts, signal)
    },
    async check(account, signal) {
      const known = login(account, ['IMAP', 'SMTP'])
      return 'kind' in known ? known : checkAccount(known, parts, signal)
    },
  }
}

function tokenLogin(
  account: MailAccount,
  protocols: readonly Protocol[],
  subject: Pick<ApprovalSubject, 'resources'>,
  { tokens, grants }: MailParts,
): MailLogin | Failure {
  const { oauth: client, secret, address, name } = account
  const giver = client && oauthDestination(client.tokenUrl)
  if (!client || !giver || !names(subject, oauthMethod, giver))
    return failure('The permit does not name the place that gives tokens.')
  if (!tokens || !grants) return failure('Nobody signs in from here.')
  // The token that comes of it goes to the servers, so it is asked for only where these are kept with it.
  const places = [giver, ...protocols.map((protocol) => placeOf(account, protocol))]
  const wanted = {
    secret,
    client,
    places,
    grants,
    owner: address,
    signIn: mailSignInCommand(name),
    setUp: `countersign mail add ${name}`,
  }
  return { account, token: (refused, signal) => tokens.token(wanted, refused, signal) }
}

/** Whether the permit names this place, for being spoken to in this way. */
function names(
  { resources }: Pick<ApprovalSubject, 'resources'>,
  method: string,
  { scheme, host, port }: Destination,
): boolean {
  return resources.some(
    (resource) =>
      resource.type === 'url' &&
      resource.method === method &&
      resource.scheme === scheme &&
      resource.host === host &&
      resource.port === port,
  )
}

function placeOf(account: MailAccount, protocol: Protocol): Destination {
  const { host, port, security } = serverOf(account, protocol)
  return { scheme: mailScheme(security), host, port }
}

function serverOf(account: MailAccount, protocol: Protocol) {
  return protocol === 'IMAP' ? account.imap : account.smtp
}

function passwordFor(
  account: MailAccount,
  protocol: Protocol,
  { secrets = noSecrets }: MailParts,
): string | undefined {
  return secrets.value(account.secret, placeOf(account, protocol))
}
