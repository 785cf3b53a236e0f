/**
 * `countersign extension sign-in` and `sign-out`: signs in to a server at an address with a browser. What is found about
 * it is put on a card first; the browser goes nowhere else.
 */
import {
  CountersignError,
  type InstalledServer,
  type ServerOAuth,
  serverSignInCommand,
} from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import { consentTo } from '../consent.ts'
import type { Context, Handler, OptionValues } from '../context.ts'
import { type CommandAnswer, done } from '../output/answer.ts'
import { columns } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe-text.ts'
import { browseWhile, show } from './browse.ts'
import { settledDirectRun } from './direct-run.ts'
import { openLoopback } from './loopback.ts'
import { readSecretValue } from './secret-value.ts'

const command = 'extension sign-in'

export const signIn: Handler = async (context, [name = ''], options) => {
  const { client } = await context.gateway()
  const found = await atAddress(client, name, command)
  if ('kind' in found) return found
  const wishes = ['anew', 'clientId', 'clientSecret', 'scope', 'provider', 'redirectPort']
  if (found.oauth && wishes.every((each) => options[each] === undefined || options[each] === false))
    return withBrowser(context, client, name, found.oauth)
  const wish = await clientWish(context, client, found, options)
  if ('kind' in wish) return wish
  const { oauth } = wish
  const launch = { kind: 'http', url: found.url, secret: null, oauth }
  const args = { name, launch, from: null, replaces: found.server.launchHash }
  const settled = await settledDirectRun(
    context,
    client,
    await client.callTool('add_server', JSON.stringify(args)),
  )
  if (settled.kind === 'done') return withBrowser(context, client, name, oauth)
  context.note(
    `What you sign in to is on the card. When it is approved: \`${serverSignInCommand(line(name))}\`.`,
  )
  return settled
}

interface AtAddress {
  readonly server: InstalledServer
  readonly url: string
  readonly oauth: ServerOAuth | undefined
}

async function atAddress(client: Client, name: string, from: string): Promise<AtAddress | CommandAnswer> {
  const server = (await client.extensions()).servers.find((each) => each.name === name)
  if (!server)
    return usage(`There is no server ${line(name)}. See them with \`countersign extension list\`.`, from)
  const { launch } = server
  if (launch.kind === 'http') return { server, url: launch.url, oauth: launch.oauth }
  return usage(`The server ${line(name)} is a program here, so nobody signs in to it.`, from)
}

async function clientWish(
  context: Context,
  client: Client,
  { server: { name }, url }: AtAddress,
  options: OptionValues,
): Promise<{ readonly oauth: ServerOAuth } | CommandAnswer> {
  const text = (option: string) => (typeof options[option] === 'string' ? options[option] : undefined)
  const clientId = text('clientId')
  if (options['clientSecret'] === true && clientId === undefined)
    return usage('Name the client that the secret belongs to: --client-id.', command)
  const port = text('redirectPort')
  if (port !== undefined && !(Number(port) >= 1024 && Number(port) <= 65_535))
    return usage('--redirect-port takes a port from 1024 to 65535.', command)
  const provider = await acceptedProvider(context, client, { name, url, wanted: text('provider') })
  if (typeof provider !== 'string') return provider
  const clientSecret =
    options['clientSecret'] === true
      ? await readSecretValue(context, `Client secret of ${line(clientId ?? '')} (hidden): `)
      : undefined
  if (options['clientSecret'] === true && clientSecret === undefined)
    return done({ signedIn: false }, 'Nothing was changed.')
  const scopes = text('scope')?.split(/\s+/).filter(Boolean)
  context.working(`Asking ${line(provider)} how to sign in…`)
  const found = await client.findServerSignIn(name, {
    step: 'client',
    provider,
    redirectPort: port === undefined ? await freePort() : Number(port),
    ...(scopes === undefined ? {} : { scopes }),
    ...(clientId === undefined ? {} : { clientId }),
    ...(clientSecret === undefined ? {} : { clientSecret }),
  })
  if (found.step === 'client') return { oauth: found.oauth }
  throw new CountersignError('conflict', 'The gateway answered something else than it was asked.', {
    next: 'Update both: `countersign up` after an upgrade.',
  })
}

/** The server names it; a person says that it may be asked there, unless it is the server's own place. */
async function acceptedProvider(
  context: Context,
  client: Client,
  { name, url, wanted }: { readonly name: string; readonly url: string; readonly wanted: string | undefined },
): Promise<string | CommandAnswer> {
  const found = await client.findServerSignIn(name, { step: 'provider' })
  const providers = found.step === 'provider' ? found.providers : []
  const said = providers.map(line).join(', ')
  if (wanted !== undefined)
    return providers.includes(wanted)
      ? wanted
      : usage(`The server ${line(name)} does not name ${line(wanted)}, but ${said}.`, command)
  const [provider = '', ...others] = providers
  if (others.length > 0)
    return usage(
      `The server ${line(name)} names several that let in. Choose one with --provider: ${said}.`,
      command,
    )
  if (new URL(provider).origin === new URL(url).origin) return provider
  const plan = [
    `The server ${line(name)} says that you sign in elsewhere. Nothing was asked there yet.`,
    columns([
      ['Server', line(url)],
      ['Sign in at', line(provider)],
    ]),
  ].join('\n')
  const { host } = new URL(provider)
  const consent = await consentTo(context, { plan, question: `Type ${line(host)} to ask there`, word: host })
  if (consent === 'given') return provider
  if (consent === 'withheld') return done({ signedIn: false }, 'Nothing was changed.')
  return usage(
    `The server ${line(name)} says that you sign in at ${line(provider)}. If you know it, add --provider ${line(provider)}.`,
    command,
  )
}

/** Some providers take only the very address that the client was registered with. */
async function freePort(): Promise<number> {
  const loopback = await openLoopback()
  loopback.close()
  return loopback.port
}

const longestMs = 10 * 60_000

async function withBrowser(
  context: Context,
  client: Client,
  name: string,
  { provider, redirectHost, redirectPort }: ServerOAuth,
): Promise<CommandAnswer> {
  const loopback = await openLoopback(redirectPort ?? 0)
  try {
    const redirectUri = `http://${redirectHost}:${loopback.port}/`
    const begun = await client.beginServerSignIn(name, { by: 'browser', redirectUri })
    const state = new URL(begun.address).searchParams.get('state') ?? ''
    context.note(`Sign in to ${line(name)} at ${line(provider)}, and allow the access:`)
    show(context, line(begun.address), String(loopback.port))
    const answered = loopback.answer(state, Math.min(context.flags.waitMs ?? longestMs, longestMs))
    const callback = await browseWhile(context, begun.address, () => answered)
    if (callback === undefined) throw late(name)
    const ended = await client.endServerSignIn(name, { callback })
    if (ended.kind !== 'signed-in') throw late(name)
    return done(
      { name, signedIn: true, ledger: ended.ledger },
      `Signed in to ${line(name)}.${ledgerMark(ended.ledger)}\nSee what it offers: \`countersign extension look ${line(name)}\`.`,
    )
  } finally {
    loopback.close()
  }
}

function late(name: string): CountersignError {
  return new CountersignError('timeout', 'Nobody signed in.', {
    next: `Begin again: \`${serverSignInCommand(name)}\`.`,
  })
}

export const signOut: Handler = async (context, [name = '']) => {
  const { client } = await context.gateway()
  const found = await atAddress(client, name, 'extension sign-out')
  if ('kind' in found) return found
  const out = await client.signOutOfServer(name)
  const { host } = new URL(found.oauth?.provider ?? found.url)
  return done({ ...out }, () =>
    out.signedOut
      ? `Signed out of ${line(name)}.${ledgerMark(out.ledger)}\nIts token is gone from here. To end it at ${line(host)} too, take the access away there.`
      : `Nobody was signed in to ${line(name)}.${ledgerMark(out.ledger)}`,
  )
}
