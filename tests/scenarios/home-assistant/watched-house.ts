/** Owns what a person sees of the house beside us: its states and its changes, over the WebSocket API. */
import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { ScriptedHomeAssistant } from './scripted-home-assistant.ts'

export interface HouseState {
  readonly entity_id: string
  readonly state: string
  readonly attributes: Readonly<Record<string, string | number>>
}

export interface WatchedHouse {
  /** As the house has them now. */
  states(): Promise<Readonly<Record<string, HouseState>>>
  /** What changed since it was opened: the entity, and what it became. */
  readonly changes: readonly string[]
  call(domain: string, service: string, entity: string): Promise<void>
  close(): void
}

interface Said {
  readonly id?: number
  readonly type: string
  readonly result?: unknown
  readonly event?: { readonly data: { readonly entity_id: string; readonly new_state: HouseState } }
}

/** Throws where the token is not taken. */
export async function watchHouse({
  socketUrl,
  token,
}: Pick<ScriptedHomeAssistant, 'socketUrl' | 'token'>): Promise<WatchedHouse> {
  const socket = new WebSocket(socketUrl)
  const waiting = new Map<number, (said: Said) => void>()
  const changes: string[] = []
  let last = 0
  const say = (message: object) => socket.send(JSON.stringify(message))
  const next = async () => JSON.parse(String((await once(socket, 'message'))[0])) as Said
  const ask = (message: object) =>
    new Promise<Said>((resolve) => {
      last += 1
      waiting.set(last, resolve)
      say({ id: last, ...message })
    })

  if ((await next()).type !== 'auth_required') throw new Error('it asked for no token')
  say({ type: 'auth', access_token: token })
  const { type } = await next()
  if (type !== 'auth_ok') throw new Error(type)
  socket.on('message', (data: Buffer) => {
    const said = JSON.parse(data.toString()) as Said
    const after = said.event?.data
    if (after) changes.push(`${after.entity_id} ${after.new_state.state}`)
    else waiting.get(said.id ?? 0)?.(said)
  })
  await ask({ type: 'subscribe_events', event_type: 'state_changed' })
  return {
    changes,
    async states() {
      const { result } = await ask({ type: 'get_states' })
      return Object.fromEntries((result as HouseState[]).map((each) => [each.entity_id, each]))
    },
    async call(domain, service, entity) {
      await ask({ type: 'call_service', domain, service, target: { entity_id: entity } })
    },
    close: () => socket.close(),
  }
}
