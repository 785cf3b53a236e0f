/** `countersign mail`: the e-mail accounts that the agent may read and write with. */
import {
  isThisComputer,
  MailAccountName,
  MailAddress,
  MailSecurity,
  type MailServer,
  MailServer as MailServerShape,
} from '@countersign/contract'
import type { Handler, OptionValues } from '../context.ts'
import { done } from '../output/answer.ts'
import { columns } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe-text.ts'
import { settledDirectRun } from './direct-run.ts'
import { readSecretValue } from './secret-value.ts'

export const list: Handler = async (context) => {
  const accounts = await (await context.gateway()).client.mailAccounts()
  return done({ accounts }, () => {
    if (accounts.length === 0)
      return 'No e-mail account yet. Add one with `countersign mail add work --address me@example.org --imap imap.example.org --smtp smtp.example.org`.'
    const rows = accounts.map(({ name, address, imap, smtp }) => [
      line(name),
      line(address),
      serverText(imap),
      serverText(smtp),
    ])
    return columns([['Name', 'Address', 'Reads from', 'Sends by'], ...rows])
  })
}

export const add: Handler = async (context, [name = ''], options) => {
  const wished = wishOf(name, options)
  if (typeof wished === 'string') return usage(wished, 'mail add')
  const { client } = await context.gateway()
  const password = await readSecretValue(context, `Password of ${line(wished.address)} (hidden): `)
  if (password === undefined) return done({ stored: false }, 'Nothing was changed.')
  const stored = await client.storeMailAccount(name, { ...wished, password })
  const next = [
    ...(stored.enabled ? [] : ['Switch the tools on with `countersign tool enable email`.']),
    `Try it with \`countersign mail test ${line(name)}\`.`,
  ]
  return done({ ...stored }, () =>
    [
      `${stored.replaced ? 'Changed' : 'Added'} ${line(name)}.${ledgerMark(stored.ledger)}`,
      columns([
        ['Address', line(stored.account.address)],
        ['Reads from', serverText(stored.account.imap)],
        ['Sends by', serverText(stored.account.smtp)],
        ['Password', `in the vault as ${line(stored.account.secret)}, for these two servers only`],
      ]),
      ...next,
    ].join('\n'),
  )
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

export const remove: Handler = async (context, [name = '']) => {
  const { ledger } = await (await context.gateway()).client.removeMailAccount(name)
  const words = [
    `Removed ${line(name)} and its password.${ledgerMark(ledger)}`,
    'An app password stays valid until you revoke it at your provider.',
  ]
  return done({ name, ledger }, words.join('\n'))
}

interface Wish {
  readonly address: string
  readonly user: string
  readonly displayName: string
  readonly imap: MailServer
  readonly smtp: MailServer
}

/** A sentence where something is missing or cannot be. */
function wishOf(name: string, options: OptionValues): Wish | string {
  const text = (option: string) => (typeof options[option] === 'string' ? options[option] : '')
  if (!MailAccountName.safeParse(name).success)
    return `${line(name)} is not a name for an account: lower case letters, digits, - and _, as in work.`
  const address = text('address')
  if (!MailAddress.safeParse(address).success) return 'Give your address: --address me@example.org.'
  const security = text('security')
  if (security !== '' && !MailSecurity.safeParse(security).success)
    return `${line(security)} is not a way to secure a connection: tls, starttls or none.`
  const imap = serverIn(text('imap'), security, { port: 993, starttls: 143 })
  if (typeof imap === 'string') return `--imap: ${imap}`
  const smtp = serverIn(text('smtp'), security, { port: 465, starttls: 587 })
  if (typeof smtp === 'string') return `--smtp: ${smtp}`
  return { address, user: text('user') || address, displayName: text('displayName'), imap, smtp }
}

function serverIn(
  written: string,
  wished: string,
  usual: { readonly port: number; readonly starttls: number },
): MailServer | string {
  const [, host = '', port] = /^(\[[^\]]+\]|[^:\s]+)(?::(\d{1,5}))?$/.exec(written) ?? []
  if (host === '') return 'name one server, such as imap.example.org or mail.example.org:143.'
  const number = port === undefined ? (wished === 'starttls' ? usual.starttls : usual.port) : Number(port)
  const security = wished === '' ? (number === usual.starttls ? 'starttls' : 'tls') : wished
  const name = host.replaceAll(/^\[|\]$/g, '').toLowerCase()
  if (security === 'none' && !isThisComputer(name))
    return `${line(name)} is not this computer, and without TLS everybody on the way could read along. Use tls or starttls.`
  const server = MailServerShape.safeParse({ host: name, port: number, security })
  return server.success ? server.data : `${line(written)} is not one exact server, such as imap.example.org.`
}

function serverText({ host, port, security }: MailServer): string {
  return `${line(host)}:${port} (${security})`
}
