/** Owns the channels of plugins that run here, with what is carried to and from each. They end with the gateway. */
import type { Duplex } from 'node:stream'
import type { ExecutorMessage, ExecutorRequest, PluginChannelEnd } from '@countersign/contract'
import { type CarriedSide, carriedStream } from '@countersign/contract/node'

export interface ServedChannelsParts {
  /** Never rejects. */
  channel(
    wanted: { readonly plugin: string; readonly launch: string },
    line: Duplex,
    signal: AbortSignal,
  ): Promise<PluginChannelEnd>
  send(message: ExecutorMessage): void
}

export interface ServedChannels {
  /** Not waited for by whoever leaves: it is there as long as the executor. */
  open(request: Extract<ExecutorRequest, { type: 'channel' }>): Promise<void>
  take(request: Extract<ExecutorRequest, { type: 'channel-piece' | 'channel-taken' | 'channel-stop' }>): void
  lose(): void
}

export function createServedChannels(parts: ServedChannelsParts): ServedChannels {
  const channels = new Map<number, { readonly side: CarriedSide; readonly stop: AbortController }>()
  return {
    async open({ id, plugin, launch }) {
      const stop = new AbortController()
      const side = carriedStream({
        give: (piece) => parts.send({ type: 'channel-piece', id, piece }),
        take: () => parts.send({ type: 'channel-taken', id }),
      })
      channels.set(id, { side, stop })
      const end = await parts.channel({ plugin, launch }, side.stream, stop.signal)
      channels.delete(id)
      side.end()
      parts.send({ type: 'channel-ended', id, end })
    },
    take(request) {
      const channel = channels.get(request.id)
      if (request.type === 'channel-piece') channel?.side.given(request.piece)
      else if (request.type === 'channel-taken') channel?.side.taken()
      else channel?.stop.abort()
    },
    lose() {
      for (const { stop } of channels.values()) stop.abort()
    },
  }
}
