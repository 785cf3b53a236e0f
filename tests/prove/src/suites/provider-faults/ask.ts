/** Asks the product's model for one reply and says how it ended. A stream that does not end, or ends twice, is told. */
import type { ModelChunk } from '@countersign/agent'
import type { ProviderKind } from '@countersign/contract'
import { createModel } from '../../../../../packages/models/src/calls/model.ts'
import type { ByteServer, Delivery } from './byte-server.ts'
import { configOf, request } from './scenarios.ts'

export type ModelAnswer = Extract<ModelChunk, { type: 'end' | 'failed' }>

const LONGEST_MS = 10_000

export async function ask(
  server: ByteServer,
  kind: ProviderKind,
  delivery: Delivery,
): Promise<ModelAnswer | string> {
  const address = server.offer(delivery)
  const timeoutMs = delivery.ends === 'stall' ? 60 : 5_000
  let timer: NodeJS.Timeout | undefined
  try {
    return await Promise.race([
      askOnce(configOf(kind, address, timeoutMs)),
      new Promise<string>((resolve) => {
        timer = setTimeout(() => resolve('the stream did not end in time'), LONGEST_MS)
      }),
    ])
  } finally {
    clearTimeout(timer)
    server.take(address)
  }
}

async function askOnce(config: Parameters<typeof createModel>[0]): Promise<ModelAnswer | string> {
  const endings: ModelAnswer[] = []
  let after = 0
  try {
    for await (const chunk of createModel(config).stream(request, new AbortController().signal)) {
      if (endings.length > 0) after += 1
      if (chunk.type === 'end' || chunk.type === 'failed') endings.push(chunk)
    }
  } catch (error) {
    return `the stream threw ${String(error)}`
  }
  const [ending] = endings
  if (!ending || after > 0)
    return `the stream ended ${endings.length} times and sent ${after} chunks afterwards`
  if (ending.type === 'failed' && ending.failure.message === '') return 'the failure says nothing'
  return ending
}
