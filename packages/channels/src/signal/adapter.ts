/** Owns the way to Signal: through the operator's own signal-cli, which is given nothing but what goes out. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type ChannelAdapter, type ChannelConnection, RejectedError } from '../frame/adapter.ts'
import type { OutboundMessage, SendResult } from '../frame/protocol.ts'
import { pauseAfter } from '../frame/take-in-turn.ts'
import { messageId, readAttachmentRef } from './envelope.ts'
import { createSignalInbox } from './inbox.ts'
import type { CallOutcome } from './json-rpc.ts'
import { dialSignal, type SignalLine } from './line.ts'
import { type SignalSettings, signalManifest } from './manifest.ts'
import { contentOf, recipientOf, sendResultOf } from './outbound.ts'

const firstPauseMs = 250
const longestPauseMs = 30_000
/** Whoever reads on Signal is shown no change after a day. */
const changeableMs = 24 * 60 * 60_000

export const signalAdapter: ChannelAdapter<SignalSettings> = {
  manifest: signalManifest,
  async open(context) {
    const inbox = createSignalInbox(context)
    const { signal } = context
    let line: SignalLine | undefined

    async function dial(): Promise<SignalLine> {
      const dialled = await dialSignal(context, inbox)
      line = dialled
      context.connected({ id: inbox.own.aci ?? inbox.own.account, name: inbox.own.account })
      return dialled
    }

    /** Until the channel ends: whenever the line is gone, another one. */
    async function goOn(first: SignalLine | undefined): Promise<void> {
      let failures = 0
      for (let current = first; !signal.aborted; ) {
        if (current) {
          const problem = await current.closed
          line = undefined
          failures = 0
          if (!signal.aborted) context.disconnected(problem)
        }
        await sleep(pauseAfter(failures, firstPauseMs, longestPauseMs), undefined, { signal }).catch(
          () => undefined,
        )
        failures += 1
        current = signal.aborted ? undefined : await dial().catch(tellAway)
      }
    }

    function tellAway(error: unknown): undefined {
      if (!signal.aborted) context.disconnected(error instanceof Error ? error.message : String(error))
    }

    const first = await dial().catch((error: unknown) => {
      if (error instanceof RejectedError) throw error
      return tellAway(error)
    })
    const going = goOn(first)
    return connectionOf(
      context.settings,
      () => line,
      (timestamp) => messageId(inbox.own.aci ?? inbox.own.account, timestamp),
      async () => {
        await line?.end()
        await inbox.end()
        await going
      },
    )
  },
}

function connectionOf(
  { account }: SignalSettings,
  current: () => SignalLine | undefined,
  idOf: (timestamp: number) => string,
  close: () => Promise<void>,
): ChannelConnection {
  const call = async (method: string, params: Readonly<Record<string, unknown>>): Promise<CallOutcome> =>
    (await current()?.call(method, { account, ...params })) ?? {
      kind: 'not-sent',
      problem: 'signal-cli is not connected.',
    }

  async function send(
    message: OutboundMessage,
    change: Readonly<Record<string, unknown>> = {},
  ): Promise<SendResult> {
    const recipient = recipientOf(message.chat)
    if (!recipient) return { kind: 'refused', problem: 'Signal has no such chat.' }
    const content = contentOf(message)
    if (content['message'] === '' && !message.file) return { kind: 'refused', problem: 'It says nothing.' }
    return sendResultOf(await call('send', { ...recipient, ...content, ...change }), idOf)
  }

  return {
    send,
    async edit(message, change) {
      const timestamp = Number(/\/(\d{1,16})$/.exec(message)?.[1])
      if (!timestamp || message !== idOf(timestamp))
        return { kind: 'refused', problem: 'That was not sent by this account.' }
      if (Date.now() - timestamp > changeableMs)
        return { kind: 'refused', problem: 'Signal shows no change of what was sent more than a day ago.' }
      const result = await send(change, { editTimestamp: timestamp })
      // A further change names the first one.
      return result.kind === 'sent' ? { kind: 'sent', message } : result
    },
    async typing(chat) {
      const recipient = recipientOf(chat)
      if (recipient) await call('sendTyping', recipient)
    },
    async fetch(ref, most) {
      const file = readAttachmentRef(ref)
      const from = file && recipientOf(file.chat)
      if (!from) throw new Error('There is no such file.')
      if (file.bytes !== null && file.bytes > most) throw new Error(`It is larger than ${most} bytes.`)
      const { groupId, recipient } = from
      const outcome = await call('getAttachment', {
        id: file.id,
        ...(recipient === undefined ? { groupId } : { recipient: file.chat }),
      })
      return bytesIn(outcome, most)
    },
    close,
  }
}

function bytesIn(outcome: CallOutcome, most: number): Uint8Array {
  if (outcome.kind !== 'answered')
    throw new Error(outcome.kind === 'failed' ? outcome.message : outcome.problem)
  const { result } = outcome
  const data = typeof result === 'object' && result !== null && 'data' in result ? result.data : undefined
  if (typeof data !== 'string') throw new Error('signal-cli gave no file.')
  if (data.length > Math.ceil(most / 3) * 4 + 4) throw new Error(`It is larger than ${most} bytes.`)
  return Buffer.from(data, 'base64')
}
