/** Many WebSocket clients in one process. They count what they get and keep nothing of it. */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { establishHost, fileSigner, homePaths } from '@countersign/contract/node'
import { WebSocket } from 'ws'
import { answerParent } from '../side-process.ts'
import { proveDevice } from '../socket-client.ts'

export type ListenersQuestion =
  /** With a home, each client proves the device of that home first. */
  | { readonly kind: 'open'; readonly url: string; readonly count: number; readonly home: string | null }
  /** Answered when every client of that server has had so many events since it was last asked. */
  | { readonly kind: 'await'; readonly url: string; readonly events: number }

export type ListenersAnswer = 'done'

interface Group {
  readonly counts: number[]
  wanted: number
  missing: number
  reached: () => void
}

const groups = new Map<string, Group>()
const atOnce = 20

async function open(url: string, count: number, home: string | null): Promise<void> {
  const group: Group = {
    counts: Array.from({ length: count }, () => 0),
    wanted: 0,
    missing: 0,
    reached: () => undefined,
  }
  groups.set(url, group)
  for (let first = 0; first < count; first += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, count - first) }, (_, index) => first + index)
    await Promise.all(some.map((index) => openOne(url, home, () => took(group, index))))
  }
}

async function openOne(url: string, home: string | null, event: () => void): Promise<void> {
  const socket = new WebSocket(home === null ? url : new URL(`/v1/socket?nonce=${randomUUID()}`, url), {
    perMessageDeflate: false,
  })
  if (home === null) await new Promise<void>((resolve) => socket.once('open', () => resolve()))
  else {
    const paths = homePaths({ COUNTERSIGN_HOME: home }, process.platform)
    await proveDevice(socket, fileSigner(establishHost(paths, hostname(), new Date())))
  }
  socket.on('message', event)
  socket.on('close', (code) => {
    throw new Error(`A listener was closed with ${code}.`)
  })
}

function took(group: Group, index: number): void {
  const count = (group.counts[index] ?? 0) + 1
  group.counts[index] = count
  if (count !== group.wanted) return
  group.missing -= 1
  if (group.missing === 0) group.reached()
}

async function awaitEvents(url: string, events: number): Promise<void> {
  const group = groups.get(url)
  if (!group) throw new Error(`Nobody listens at ${url}.`)
  group.wanted += events
  const { wanted } = group
  group.missing = group.counts.filter((count) => count < wanted).length
  if (group.missing === 0) return
  await new Promise<void>((resolve) => {
    group.reached = resolve
  })
}

answerParent<ListenersQuestion, ListenersAnswer>(async (question) => {
  if (question.kind === 'open') await open(question.url, question.count, question.home)
  else await awaitEvents(question.url, question.events)
  return 'done'
})
