import type { InboundMessage } from '@countersign/channels'
import { type Label, usualPeerLimits } from '@countersign/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createChatFiles } from './chat-files.ts'
import { labelOfSender } from './intake.ts'
import type { Peer } from './peers.ts'
import { type ChannelBench, openChannelBench } from './testing/channel-bench.ts'

let bench: ChannelBench
beforeAll(async () => {
  bench = await openChannelBench()
})
afterAll(() => bench.close())

/** Somebody sends a file; gives how often it was taken, and the permit by which it was written. */
async function sends(role: Peer['role'], limits: Partial<Peer['limits']> = {}) {
  const channel = bench.addChannel()
  await bench.letIn(channel, 'ann', role, limits)
  const peer: Peer = {
    channel,
    peer: 'ann',
    name: 'Ann',
    chat: 'chat-ann',
    role,
    limits: { ...usualPeerLimits, ...limits },
  }
  const file = { ref: 'f1', name: 'list.txt', bytes: 3, voice: false }
  const event: InboundMessage = bench.event('ann', 'see this', { files: [file] })
  const label: Label | undefined = labelOfSender(bench.channel(channel), peer, event)
  const filesOf = createChatFiles({
    kernel: bench.test.kernel,
    operator: bench.operator,
    uploads: { add: async (_sha256, offset, bytes) => offset + bytes.length },
    hear: () => Promise.resolve(undefined),
  })
  const before = bench.test.permits.length
  const taken = await filesOf(event, peer, label, async () => new Uint8Array([1, 2, 3]))
  const [permit] = bench.test.permits.slice(before)
  return { channel, attachments: taken.attachments.length, subject: permit?.subject }
}

it('is written for whoever sent it, with their label', async () => {
  const { channel, attachments, subject } = await sends('trusted')
  expect(attachments).toBe(1)
  expect(subject?.requester).toMatchObject({ kind: 'peer', id: `${channel}/ann`, via: { channel } })
  expect(subject?.provenance.integrity).toBe('paired')
})

it('is written by the operator where it is theirs', async () => {
  const { attachments, subject } = await sends('operator')
  expect(attachments).toBe(1)
  expect(subject?.requester).toMatchObject({ kind: 'operator' })
})

it('is not written for a guest, nor beyond what somebody may ask for', async () => {
  const nothing = { attachments: 0, subject: undefined }
  expect(await sends('guest')).toMatchObject(nothing)
  expect(await sends('trusted', { tier: 0 })).toMatchObject(nothing)
  expect(await sends('trusted', { tools: ['get_weather'] })).toMatchObject(nothing)
})
