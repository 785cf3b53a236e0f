/** A scripted gateway: answers from a table, and a log that grows when something is decided. */
import {
  emptyLive,
  fold,
  type GatewayEvent,
  type LiveState,
  reduce,
  type ServerFrame,
} from '@countersign/contract'
import type { Transport, TransportReply } from '@countersign/contract/client'
import { events, firstSeq } from './events.ts'
import { minutes } from './ids.ts'
import type { Script } from './script.ts'
import { answers } from './scripted-answers.ts'

export interface ScriptedGateway {
  readonly fetch: Transport
  readonly subscribe: (take: (frame: ServerFrame) => void) => () => void
  readonly state: () => LiveState
}

export function scriptedGateway(script: Script): ScriptedGateway {
  const begun = { ...emptyLive, seq: firstSeq }
  let state = fold(begun, script.isEmpty ? [] : events(script.isPaused))
  const takers = new Set<(frame: ServerFrame) => void>()
  const post = (body: GatewayEvent['body']) => {
    const event = { seq: state.seq + 1, at: minutes(0), body }
    state = reduce(state, event)
    for (const take of takers) take({ type: 'event', event })
  }
  return {
    state: () => state,
    subscribe(take) {
      takers.add(take)
      queueMicrotask(() => take({ type: 'welcome', seq: state.seq, head: state.seq, operator: 'mira' }))
      return () => takers.delete(take)
    },
    async fetch(url, { method, body }) {
      if (script.isSlow) await new Promise((resolve) => setTimeout(resolve, 1_500))
      if (script.link === 'offline') throw new TypeError('scripted to be away')
      const parts = url.pathname.split('/').filter((part) => part !== '')
      if (url.pathname === '/v1/live') return reply({ seq: state.seq, state, hash: '' })
      if (url.pathname === '/v1/pause') post({ type: 'system.paused', by: 'you, on the web' })
      if (url.pathname === '/v1/resume') post({ type: 'system.resumed', by: 'you, on the web' })
      if (url.pathname.endsWith('/decision')) return decide(state, parts[2] ?? '', body ?? '{}', post)
      const answer = answers[`${method} ${url.pathname}`] ?? answers[`${method} ${starred(parts)}`]
      const found = answer?.({ parts, search: url.searchParams })
      if (found === undefined)
        return reply(
          {
            ok: false,
            error: {
              type: 'not_found',
              message: `Nothing is scripted for ${method} ${url.pathname}.`,
              next: 'Add it to dev/answers.ts.',
            },
          },
          404,
        )
      return reply(script.isEmpty && Array.isArray(found) ? [] : found)
    },
  }
}

function decide(
  state: LiveState,
  ref: string,
  body: string,
  post: (body: GatewayEvent['body']) => void,
): TransportReply {
  const approval = Object.values(state.approvals).find(({ id, code }) => id === ref || code === ref)
  if (approval === undefined)
    return reply(
      { ok: false, error: { type: 'conflict', message: 'It is decided already.', next: 'Look at it.' } },
      409,
    )
  const verdict =
    (JSON.parse(body) as { verdict: string }).verdict === 'approve'
      ? ('approved' as const)
      : ('denied' as const)
  const { session, run, id, code } = approval
  post({
    type: 'approval.decided',
    session,
    run,
    approval: id,
    code,
    state: verdict,
    by: 'you, on the web',
    reason: null,
  })
  const receipt = `You ${verdict} “${approval.card.headline}” once, on the web. Ledger #48 212.`
  return reply({
    approval: { ...approval, state: verdict, decidedAt: minutes(0), decidedBy: 'you, on the web', receipt },
    grant: null,
    ledger: 48_212,
  })
}

/** Ids are left open: `/v1/goals/goal_1` is answered by `/v1/goals/*`. */
function starred(parts: readonly string[]): string {
  return `/${parts.map((part, index) => (index === 2 ? '*' : part)).join('/')}`
}

function reply(body: unknown, status = 200): TransportReply {
  return {
    ok: status < 400,
    status,
    headers: { get: () => null },
    text: async () => JSON.stringify(body),
    body: null,
  }
}
