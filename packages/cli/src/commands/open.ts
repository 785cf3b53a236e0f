/**
 * `countersign open`: the web app, in a browser that this host lets in by a link. The link carries a secret that only
 * this program and the page know, and by which key the page knows the gateway. The page proves the secret, and the
 * device of this host signs for the page's key.
 */
import { randomBytes } from 'node:crypto'
import { CountersignError, type DeviceView, type PairingRequestView } from '@countersign/contract'
import { fingerprint } from '@countersign/contract/node'
import type { Gateway } from '../connection.ts'
import type { Context, Handler } from '../context.ts'
import { type CommandAnswer, done } from '../output/answer.ts'
import { usage } from '../output/failure.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe-text.ts'
import { browse, browseWhile, show } from './browse.ts'
import { deviceSigned, wordsFor } from './device-statement.ts'
import { reachText } from './device-words.ts'
import { openPhone } from './open-phone.ts'
import { invitationBy, provesLink } from './pairing-link.ts'

const longestMs = 10 * 60_000
const everyMs = 500
/** A page of a browser that is in already asks for nothing; so long is a request waited for after it was seen. */
const afterSeenMs = 5_000
/** So long a page that proves the link waits for another one that does: then the link was not for us alone. */
const holdMs = 3_000

export const open: Handler = async (context, [screen = ''], options) => {
  if (!/^[\w/-]{0,100}$/.test(screen))
    return usage(`${line(screen)} is not a screen, such as approvals or ledger.`, 'open')
  if (options['phone'] === true) return openPhone(context, screen.replace(/^\/+/, ''), options)
  if (options['origin'] !== undefined || options['reach'] !== undefined)
    return usage('--origin and --reach belong to --phone.', 'open')
  const gateway = await context.gateway()
  const { passkeys } = await gateway.client.devices()
  // The address that answered and proved itself, whatever anybody says of another one.
  const { port, page } = pageAt(gateway.url, screen.replace(/^\/+/, ''))
  if (passkeys.some(({ revokedAt }) => revokedAt === null)) {
    show(context, page, port)
    await browse(context, page)
    return done({ url: page, paired: false }, 'A new browser signs in there with your passkey.')
  }
  const secret = randomBytes(32).toString('base64url')
  const startedAt = context.host.clock()
  // At an address elsewhere only who was invited may ask.
  if (page.startsWith('https:'))
    await gateway.client.invite({ invitation: invitationBy(secret), origin: new URL(page).origin })
  const key = fingerprint(gateway.identity.trust.gateway.key)
  const address = `${page}#pair=${secret}&gateway=${key}`
  show(context, address, port)
  return browseWhile(context, address, () => {
    context.note('Waiting for the page, ten minutes at most. Ctrl-C stops waiting.')
    return pairedWith(context, gateway, { page, secret, startedAt })
  })
}

/** A passkey belongs to a name, so the page of this computer is opened under `localhost`. */
function pageAt(url: string, screen: string): { readonly port: string; readonly page: string } {
  const { protocol, port, origin } = new URL(url)
  const base = protocol === 'https:' ? origin : `http://localhost:${port}`
  return { port, page: `${base}/${screen}` }
}

interface OpenedPage {
  readonly page: string
  readonly secret: string
  readonly startedAt: Date
}

async function pairedWith(context: Context, gateway: Gateway, opened: OpenedPage): Promise<CommandAnswer> {
  const { clock, wait } = context.host
  const until = opened.startedAt.getTime() + Math.min(context.flags.waitMs ?? longestMs, longestMs)
  let seen: { readonly device: DeviceView; readonly at: number } | undefined
  let provenSince: number | undefined
  const everProven = new Set<string>()
  for (;;) {
    const proven = (await gateway.client.pairingRequests()).filter((request) =>
      provesLink(opened.secret, request),
    )
    const [request] = proven
    for (const { id } of proven) everProven.add(id)
    if (everProven.size > 1) return refuseAll(gateway, proven, everProven.size)
    const now = clock().getTime()
    if (request) {
      provenSince ??= now
      if (now - provenSince >= holdMs) return letIn(context, gateway, opened, request)
    } else {
      if (now >= until) break
      seen ??= await newlySeen(gateway, opened.startedAt, clock())
      if (seen && now - seen.at > afterSeenMs)
        return done(
          { url: opened.page, paired: false, device: seen.device.id },
          `${line(seen.device.name)} is in already.`,
        )
    }
    await wait(everyMs)
  }
  throw new CountersignError('timeout', 'No page asked to pair.', {
    next: 'Run `countersign open` again and open the printed address.',
  })
}

async function letIn(
  context: Context,
  { client, identity }: Gateway,
  { page }: OpenedPage,
  request: PairingRequestView,
): Promise<CommandAnswer> {
  const { device, name, reach } = request
  const words = await wordsFor(identity, request)
  const statement = deviceSigned(identity, device, request, reach, context.host.clock())
  const { ledger } = await client.stateDevice(statement)
  return done(
    { url: page, paired: true, device, reach, words, ledger },
    [
      `${line(name)} is connected. It can ${reachText(reach)}.${ledgerMark(ledger)}`,
      `Its words: ${words}.`,
      'Revoke it with `countersign device revoke`.',
    ].join('\n'),
  )
}

/** Somebody else has the link: nobody is let in. */
async function refuseAll(
  { client }: Gateway,
  requests: readonly PairingRequestView[],
  came: number,
): Promise<never> {
  for (const { id } of requests) await client.refusePairing(id)
  throw new CountersignError('conflict', `${came} pages came with the same link. None was paired.`, {
    next: 'Run `countersign open` again. If it happens twice, somebody else can read your screen or your files.',
  })
}

async function newlySeen({ client }: Gateway, since: Date, now: Date) {
  const { devices } = await client.devices()
  const device = devices.find(
    ({ root, seenAt }) => !root && seenAt !== null && Date.parse(seenAt) >= since.getTime(),
  )
  return device && { device, at: now.getTime() }
}
