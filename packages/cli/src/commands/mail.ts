/** `countersign mail`: the e-mail accounts that the agent may read and write with. */
import {
  AccountName,
  type MailAccountStored,
  MailAddress,
  type MailSearch,
  MailSecurity,
  type MailServer,
  mailServerIn,
  mailServerText,
  mailSignInCommand,
} from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import type { Context, Handler, OptionValues } from '../context.ts'
import { type CommandAnswer, done } from '../output/answer.ts'
import { columns } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe-text.ts'
import { settledDirectRun } from './direct-run.ts'
import { type OAuthWish, oauthWishOf } from './mail-oauth-wish.ts'
import { mailProviders } from './mail-providers.ts'
import { signedIn } from './mail-sign-in.ts'
import { readSecretValue } from './secret-value.ts'

export const list: Handler = async (context) => {
  const accounts = await (await context.gateway()).client.mailAccounts()
  return done({ accounts }, () => {
    if (accounts.length === 0)
      return 'No e-mail account yet. Add one with `countersign mail add work --address me@example.org --imap imap.example.org --smtp smtp.example.org`.'
    const rows = accounts.map(({ name, address, imap, smtp, oauth, signedIn: isIn, search }) => [
      line(name),
      line(address),
      serverText(imap),
      serverText(smtp),
      oauth ? (isIn ? 'signed in' : 'signed out') : isIn ? 'password' : 'no password',
      searchText(search),
    ])
    const out = accounts.filter(({ oauth, signedIn: isIn }) => oauth && !isIn)
    return [
      columns([['Name', 'Address', 'Reads from', 'Sends by', 'Opened by', 'Searchable'], ...rows]),
      ...out.map(({ name }) => `Sign in with \`${mailSignInCommand(line(name))}\`.`),
      ...accounts.flatMap(({ name, search }) =>
        search && search.problem !== null
          ? [`${line(name)} could not be read for the search: ${line(search.problem)}`]
          : [],
      ),
    ].join('\n')
  })
}

export const add: Handler = async (context, [name = ''], options) => {
  const wished = wishOf(name, options)
  if (typeof wished === 'string') return usage(wished, 'mail add')
  const { client } = await context.gateway()
  const { oauth, ...account } = wished
  if (oauth) return addWithOAuth(context, client, { name, account, oauth, options })
  const password = await readSecretValue(context, `Password of ${line(wished.address)} (hidden): `)
  if (password === undefined) return done({ stored: false }, 'Nothing was changed.')
  const stored = await client.storeMailAccount(name, { ...account, password })
  const opened = ['Password', `in the vault as ${line(stored.account.secret)}, for these two servers only`]
  return done({ ...stored }, () => storedText(stored, opened))
}

/** The account first and the sign-in then: if it fails, only the sign-in is begun again. */
async function addWithOAuth(
  context: Context,
  client: Client,
  {
    name,
    account,
    oauth,
    options,
  }: {
    readonly name: string
    readonly account: Omit<Wish, 'oauth'>
    readonly oauth: OAuthWish
    readonly options: OptionValues
  },
): Promise<CommandAnswer> {
  const { asksSecret, ...registered } = oauth
  const clientSecret = asksSecret
    ? await readSecretValue(context, `Client secret of ${line(registered.clientId)} (hidden): `)
    : undefined
  if (asksSecret && clientSecret === undefined) return done({ stored: false }, 'Nothing was changed.')
  const stored = await client.storeMailAccount(name, {
    ...account,
    oauth: { ...registered, ...(clientSecret === undefined ? {} : { clientSecret }) },
  })
  // What was signed in before stays so where nothing of it changed.
  const isIn = stored.account.signedIn
  if (!isIn) {
    context.note(`${stored.replaced ? 'Changed' : 'Added'} ${line(name)}.${ledgerMark(stored.ledger)}`)
    await signedIn(context, client, stored.account, options['device'] === true)
  }
  const opened = ['Sign-in', `in the vault as ${line(stored.account.secret)}, for these places only`]
  const shown = { ...stored, account: { ...stored.account, signedIn: true } }
  return done({ ...shown }, () => storedText(shown, opened))
}

function storedText(
  { account, replaced, enabled, ledger }: MailAccountStored,
  opened: readonly string[],
): string {
  const { name, address, imap, smtp, oauth } = account
  return [
    `${replaced ? 'Changed' : 'Added'} ${line(name)}.${ledgerMark(ledger)}`,
    columns([
      ['Address', line(address)],
      ['Reads from', serverText(imap)],
      ['Sends by', serverText(smtp)],
      ...(oauth ? [['Tokens from', line(oauth.tokenUrl)]] : []),
      opened,
    ]),
    ...(enabled ? [] : ['Switch the tools on with `countersign tool enable email`.']),
    `Try it with \`countersign mail test ${line(name)}\`.`,
  ].join('\n')
}

export const test: Handler = async (context, [name = '']) => {
  const { client } = await context.gateway()
  const known = await client.mailAccounts()
  if (!known.some((account) => account.name === name))
    return usage(
      `There is no e-mail account ${line(name)}. See them with \`countersign mail list\`.`,
      'mail test',
    )
  return settledDirectRun(
    context,
    client,
    await client.callTool('check_email_account', JSON.stringify({ account: name })),
  )
}

export const searchable: Handler = async (context, [name = '', state = '']) => {
  if (state !== 'on' && state !== 'off')
    return usage(
      `Say on or off, for example \`countersign mail searchable ${line(name)} on\`.`,
      'mail searchable',
    )
  const set = await (await context.gateway()).client.setMailSearchable(name, state === 'on')
  const mark = ledgerMark(set.ledger)
  if (set.searchable)
    return done(
      { ...set },
      [
        `The e-mails of ${line(name)} are read for the search in the background, the newest first.${mark}`,
        'See how far it is with `countersign mail list`. Search with `countersign search "…" --in emails`.',
      ].join('\n'),
    )
  return done(
    { ...set },
    `The e-mails of ${line(name)} are not searched any more. Removed from the search: ${set.removed}.${mark}`,
  )
}

export const remove: Handler = async (context, [name = '']) => {
  const { ledger } = await (await context.gateway()).client.removeMailAccount(name)
  const words = [
    `Removed ${line(name)} and what opened it.${ledgerMark(ledger)}`,
    'An app password or a sign-in stays valid until you revoke it at your provider.',
  ]
  return done({ name, ledger }, words.join('\n'))
}

interface Wish {
  readonly address: string
  readonly user: string
  readonly displayName: string
  readonly imap: MailServer
  readonly smtp: MailServer
  /** Left out for an account with a password. */
  readonly oauth?: OAuthWish
}

/** A sentence where something is missing or cannot be. */
function wishOf(name: string, options: OptionValues): Wish | string {
  const text = (option: string) => (typeof options[option] === 'string' ? options[option] : '')
  if (!AccountName.safeParse(name).success)
    return `${line(name)} is not a name for an account: lower case letters, digits, - and _, as in work.`
  const address = text('address')
  if (!MailAddress.safeParse(address).success) return 'Give your address: --address me@example.org.'
  const security = MailSecurity.optional().safeParse(text('security') || undefined)
  if (!security.success)
    return `${line(text('security'))} is not a way to secure a connection: tls, starttls or none.`
  const oauth = oauthWishOf(options)
  if (typeof oauth === 'string') return oauth
  const provider = mailProviders[text('oauth')]
  const imap = mailServerIn(text('imap') || (provider?.imap ?? ''), 'imap', security.data)
  if (typeof imap === 'string') return `--imap: ${serverProblems[imap]}`
  const smtp = mailServerIn(text('smtp') || (provider?.smtp ?? ''), 'smtp', security.data)
  if (typeof smtp === 'string') return `--smtp: ${serverProblems[smtp]}`
  const user = text('user') || address
  return { address, user, displayName: text('displayName'), imap, smtp, ...(oauth ? { oauth } : {}) }
}

const serverProblems = {
  unclear: 'name one server, such as imap.example.org or mail.example.org:143.',
  unencrypted:
    'without TLS everybody on the way could read along, so only this computer can be reached. Use tls or starttls.',
}

function searchText(search: MailSearch | null): string {
  if (!search) return 'no'
  const { emails, waiting } = search
  return waiting > 0 ? `${emails} e-mails, ${waiting} to read` : `${emails} e-mails`
}

function serverText(server: MailServer): string {
  return `${line(mailServerText(server))} (${server.security})`
}
