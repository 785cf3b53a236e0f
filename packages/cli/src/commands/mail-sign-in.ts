/** `countersign mail sign-in`: signs in to an e-mail account with a browser, or with a code typed anywhere. */
import { CountersignError, type MailAccountView, mailSignInCommand } from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import type { Context, Handler } from '../context.ts'
import { done } from '../output/answer.ts'
import { usage } from '../output/failure.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe-text.ts'
import { browseWhile, show } from './browse.ts'
import { openLoopback } from './loopback.ts'

export const signIn: Handler = async (context, [name = ''], { device }) => {
  const { client } = await context.gateway()
  const account = (await client.mailAccounts()).find((each) => each.name === name)
  if (!account)
    return usage(
      `There is no e-mail account ${line(name)}. See them with \`countersign mail list\`.`,
      'mail sign-in',
    )
  const ledger = await signedIn(context, client, account, device === true)
  return done(
    { name, signedIn: true, ledger },
    `Signed in to ${line(account.address)}.${ledgerMark(ledger)}\nTry it with \`countersign mail test ${line(name)}\`.`,
  )
}

const longestMs = 10 * 60_000

/** The number of the ledger entry. */
export function signedIn(
  context: Context,
  client: Client,
  account: MailAccountView,
  byCode: boolean,
): Promise<number> {
  return byCode ? withCode(context, client, account) : withBrowser(context, client, account)
}

async function withBrowser(
  context: Context,
  client: Client,
  { name, address, oauth }: MailAccountView,
): Promise<number> {
  const loopback = await openLoopback()
  try {
    const redirectUri = `http://${oauth?.redirectHost ?? '127.0.0.1'}:${loopback.port}/`
    const begun = await client.beginMailSignIn(name, { by: 'browser', redirectUri })
    const state = new URL(begun.address).searchParams.get('state') ?? ''
    context.note(`Sign in to ${line(address)} at this address, and allow the access:`)
    show(context, line(begun.address), String(loopback.port))
    if (!context.host.environment.display && oauth?.deviceUrl)
      context.note(`Without a browser: \`${mailSignInCommand(line(name))} --device\`.`)
    const answered = loopback.answer(state, Math.min(context.flags.waitMs ?? longestMs, longestMs))
    // Whoever reads its state can have the account signed in as somebody else.
    const callback = await browseWhile(context, begun.address, () => answered)
    if (callback === undefined) throw late(name)
    return ledgerOf(await client.endMailSignIn(name, { callback }), name)
  } finally {
    loopback.close()
  }
}

async function withCode(
  context: Context,
  client: Client,
  { name, address }: MailAccountView,
): Promise<number> {
  const { clock, wait } = context.host
  const begun = await client.beginMailSignIn(name, { by: 'device' })
  if (begun.by !== 'device') throw late(name)
  context.note(`Sign in to ${line(address)} on any device: open ${line(begun.address)} and type`)
  context.note(`  ${line(begun.userCode)}`)
  const until = Math.min(
    Date.parse(begun.expiresAt),
    clock().getTime() + (context.flags.waitMs ?? Number.POSITIVE_INFINITY),
  )
  let { intervalSeconds } = begun
  while (clock().getTime() < until) {
    await wait(intervalSeconds * 1_000)
    const ended = await client.endMailSignIn(name, { callback: null })
    if (ended.kind === 'signed-in') return ended.ledger
    intervalSeconds = ended.intervalSeconds
  }
  throw late(name)
}

function ledgerOf(ended: Awaited<ReturnType<Client['endMailSignIn']>>, name: string): number {
  if (ended.kind === 'signed-in') return ended.ledger
  throw late(name)
}

function late(name: string): CountersignError {
  return new CountersignError('timeout', 'Nobody signed in.', {
    next: `Begin again: \`${mailSignInCommand(name)}\`.`,
  })
}
