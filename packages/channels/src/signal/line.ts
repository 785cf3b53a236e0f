/** Owns one line to signal-cli: who we are there, and whether it hands out messages. */
import { z } from 'zod'
import { type ChannelContext, RejectedError } from '../frame/adapter.ts'
import type { SignalInbox } from './inbox.ts'
import { type CallOutcome, type JsonRpc, openJsonRpc } from './json-rpc.ts'
import type { SignalSettings } from './manifest.ts'

export interface SignalLine extends Pick<JsonRpc, 'call' | 'closed'> {
  /** Nothing more is handed out, and what was has been read; then the line is closed. */
  end(): Promise<void>
}

const invalidParams = -32_602
const methodNotFound = -32_601
const lookUpMs = 8_000
const endMs = 1_000
const Users = z.array(z.object({ uuid: z.string().nullish() }))

/** Throws `RejectedError` where signal-cli does not know the account, and another error where nobody answers. */
export async function dialSignal(
  { settings: { host, port, account }, signal }: ChannelContext<SignalSettings>,
  inbox: SignalInbox,
): Promise<SignalLine> {
  const rpc = await openJsonRpc({ host, port, signal, heard: inbox.heard })
  let subscription: unknown
  let isReady = false
  const giveUp = (): void => (isReady ? undefined : rpc.close())
  signal.addEventListener('abort', giveUp, { once: true })

  async function subscribe(): Promise<void> {
    const outcome = await rpc.call('subscribeReceive', { account })
    if (outcome.kind === 'answered') {
      subscription = outcome.result
      return
    }
    rpc.close()
    throw refusalOf(outcome, account)
  }

  async function unsubscribe(): Promise<void> {
    if (subscription === undefined) return
    const ended = rpc.call('unsubscribeReceive', { account, subscription }, endMs)
    subscription = undefined
    await ended
  }

  /** One after the other: what is full may be empty again before signal-cli has answered. */
  let turn = Promise.resolve()
  function follow(): void {
    turn = turn
      .then(() => {
        if (inbox.isFull) return unsubscribe()
        return subscription === undefined && isReady ? subscribe() : undefined
      })
      // Without a subscription the line is no use; it is closed, and there will be another.
      .catch(() => rpc.close())
  }

  try {
    if (inbox.own.aci === null) await lookUp(rpc, account, inbox)
    if (!inbox.isFull) await subscribe()
    isReady = true
    inbox.onChange(follow)
    follow()
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
  return {
    call: rpc.call,
    closed: rpc.closed,
    async end() {
      isReady = false
      await turn
      await unsubscribe()
      rpc.close()
    },
  }
}

/** Without it a mention is known by our number, if signal-cli tells it. */
async function lookUp(rpc: JsonRpc, account: string, inbox: SignalInbox): Promise<void> {
  if (!account.startsWith('+')) return inbox.known(account)
  const outcome = await rpc.call('getUserStatus', { account, recipient: [account] }, lookUpMs)
  const read = Users.safeParse(outcome.kind === 'answered' ? outcome.result : undefined)
  const aci = read.success ? read.data[0]?.uuid : undefined
  if (aci != null && /^[0-9a-f-]{36}$/.test(aci)) inbox.known(aci)
}

function refusalOf(outcome: Exclude<CallOutcome, { kind: 'answered' }>, account: string): Error {
  if (outcome.kind !== 'failed') return new Error(outcome.problem)
  const { code, message } = outcome
  if (![invalidParams, methodNotFound].includes(code)) return new Error(message)
  return new RejectedError(`signal-cli does not serve ${account}: ${message}`.slice(0, 1_000))
}
