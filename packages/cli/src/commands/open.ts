/**
 * `countersign open`: the web app, in a browser that this host lets in by a link. The link carries a secret that only
 * this program and the page know; the page proves it, and the device of this host signs for the page's key.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { hostname, userInfo } from 'node:os'
import { CountersignError, type DeviceView, linkText, type PairingRequestView } from '@countersign/contract'
import type { Gateway } from '../connection.ts'
import type { Context, Handler } from '../context.ts'
import { type Answer, done } from '../output/answer.ts'
import { usage } from '../output/failure.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe.ts'
import { deviceSigned, wordsFor } from './device-statement.ts'
import { reachText } from './device-words.ts'

const longestMs = 10 * 60_000
const everyMs = 500
/** A page of a browser that is in already asks for nothing; so long is a request waited for after it was seen. */
const afterSeenMs = 5_000

export const open: Handler = async (context, [screen = '']) => {
  if (!/^[\w/-]{0,100}$/.test(screen))
    return usage(`${line(screen)} is not a screen, such as approvals or ledger.`, 'open')
  const gateway = await context.gateway()
  const [{ url }, { passkeys }] = await Promise.all([gateway.client.status(), gateway.client.devices()])
  const { port } = new URL(url)
  const page = `http://localhost:${port}/${screen.replace(/^\/+/, '')}`
  if (passkeys.some(({ revokedAt }) => revokedAt === null)) {
    await show(context, page, port)
    return done({ url: page, paired: false }, 'A new browser signs in there with your passkey.')
  }
  const secret = randomBytes(32).toString('base64url')
  const startedAt = context.host.clock()
  await show(context, `${page}#pair=${secret}`, port)
  context.note('Waiting for the page, ten minutes at most. Ctrl-C stops waiting.')
  return pairedWith(context, gateway, { page, secret, startedAt })
}

interface Opened {
  readonly page: string
  readonly secret: string
  readonly startedAt: Date
}

async function pairedWith(context: Context, gateway: Gateway, opened: Opened): Promise<Answer> {
  const { clock, wait } = context.host
  const until = opened.startedAt.getTime() + Math.min(context.flags.waitMs ?? longestMs, longestMs)
  let seen: { readonly device: DeviceView; readonly at: number } | undefined
  while (clock().getTime() < until) {
    const proven = (await gateway.client.pairingRequests()).filter((request) =>
      provesLink(opened.secret, request),
    )
    const [request, ...others] = proven
    if (others.length > 0) return refuseAll(gateway, proven)
    if (request) return letIn(context, gateway, opened, request)
    seen ??= await newlySeen(gateway, opened.startedAt, clock())
    if (seen && clock().getTime() - seen.at > afterSeenMs)
      return done(
        { url: opened.page, paired: false, device: seen.device.id },
        `${line(seen.device.name)} is in already.`,
      )
    await wait(everyMs)
  }
  throw new CountersignError('timeout', 'No page asked to be let in.', {
    next: 'Run `countersign open` again and open the address that it prints.',
  })
}

async function letIn(
  context: Context,
  { client, identity }: Gateway,
  { page }: Opened,
  request: PairingRequestView,
): Promise<Answer> {
  const { device, name, reach } = request
  const words = await wordsFor(identity, request)
  const statement = deviceSigned(identity, device, request, reach, context.host.clock())
  const { ledger } = await client.stateDevice(statement)
  return done(
    { url: page, paired: true, device, reach, words, ledger },
    [
      `${line(name)} is let in and ${reachText(reach)}.${ledgerMark(ledger)}`,
      `Its words: ${words}.`,
      'Take it back with `countersign device revoke`.',
    ].join('\n'),
  )
}

/** Somebody else has the link: nobody is let in. */
async function refuseAll({ client }: Gateway, requests: readonly PairingRequestView[]): Promise<never> {
  for (const { id } of requests) await client.refusePairing(id)
  throw new CountersignError(
    'conflict',
    `${requests.length} pages came with the same link. None was let in.`,
    {
      next: 'Run `countersign open` again. If it happens twice, somebody else reads your screen or your processes.',
    },
  )
}

function provesLink(secret: string, { key, nonce, proof }: PairingRequestView): boolean {
  if (proof === null) return false
  const expected = createHmac('sha256', secret).update(linkText(key, nonce)).digest()
  const given = Buffer.from(proof, 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

async function newlySeen({ client }: Gateway, since: Date, now: Date) {
  const { devices } = await client.devices()
  const device = devices.find(
    ({ root, seenAt }) => !root && seenAt !== null && Date.parse(seenAt) >= since.getTime(),
  )
  return device && { device, at: now.getTime() }
}

/** The address is always said: the browser may be on another computer. */
async function show(context: Context, address: string, port: string): Promise<void> {
  const { host } = context
  context.note(address)
  if (!host.environment.display) {
    context.note('This host shows no windows. On your own computer, run this and open the address there:')
    context.note(`  ssh -L ${port}:localhost:${port} ${userInfo().username}@${hostname()}`)
    return
  }
  const [program, ...args] = opener(host.platform)
  const ran = await host.runProgram(program, [...args, address])
  if (ran.kind === 'missing' || ran.code !== 0)
    context.note('No browser could be started. Open the address yourself.')
}

function opener(platform: NodeJS.Platform): readonly [string, ...string[]] {
  if (platform === 'darwin') return ['open']
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return ['xdg-open']
}
