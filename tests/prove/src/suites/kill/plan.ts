/** What the operator asks for and what the scripted model makes of it: the plan travels inside the message. */
import type { Script } from '@countersign/model-servers'
import type { Random } from '../../../../../packages/executor/src/testing/random.ts'

export interface PlannedCall {
  readonly tool: 'post' | 'write' | 'read'
  /** Of a post: the effect that the recorder will see. Of a file: its name. */
  readonly id: string
  readonly holdMs: number
}

export interface KillPlan {
  readonly id: string
  /** The calls of one turn each. */
  readonly turns: readonly (readonly PlannedCall[])[]
  readonly thinkMs: number
}

const longestHoldMs = 150
const longestThinkMs = 30

export function createPlan(id: string, random: Random): KillPlan {
  const post = (name: string): PlannedCall => ({
    tool: 'post',
    id: `${id}.${name}`,
    holdMs: random.below(longestHoldMs),
  })
  const file = (tool: 'write' | 'read'): PlannedCall => ({ tool, id, holdMs: 0 })
  const turns = random.pick<readonly (readonly PlannedCall[])[]>([
    [],
    [[file('write')], [file('read')]],
    [[post('a')]],
    [[post('a')]],
    [[post('a')], [post('b')]],
    [[post('a'), post('b')]],
    [[file('write'), post('a')], [file('read')]],
  ])
  return { id, turns, thinkMs: random.below(longestThinkMs) }
}

export function messageOf(plan: KillPlan): string {
  return `${plan.id} ${JSON.stringify(plan)}`
}

export function replyTo(plan: KillPlan): string {
  return `done ${plan.id}`
}

export const fileOf = (plan: KillPlan): string => `${plan.id}.txt`

/** Looks only at the conversation, so a request that a crash repeats gets the same reply. */
export function scriptFor(recorderPort: () => number): Script {
  return ({ messages, lastUser }) => {
    const plan = JSON.parse(lastUser.slice(lastUser.indexOf(' ') + 1)) as KillPlan
    const asked = messages.findLastIndex((message) => message.role === 'user')
    const made = messages.slice(asked).filter((message) => message.calls.length > 0).length
    const calls = plan.turns[made]
    if (!calls) return { text: replyTo(plan), firstDelayMs: plan.thinkMs }
    return {
      text: `working on ${plan.id}`,
      firstDelayMs: plan.thinkMs,
      calls: calls.map((call) => argumentsOf(call, plan, recorderPort())),
    }
  }
}

/** The effect that a call's arguments ask for; none when it is not a post. */
export function effectIn(args: string): string | undefined {
  const { body } = JSON.parse(args) as { body?: unknown }
  if (typeof body !== 'string') return undefined
  return (JSON.parse(body) as { id: string }).id
}

function argumentsOf({ tool, id, holdMs }: PlannedCall, plan: KillPlan, port: number) {
  switch (tool) {
    case 'post':
      return {
        name: 'http_request',
        args: {
          url: `http://127.0.0.1:${port}/effects`,
          method: 'POST',
          body: JSON.stringify({ id, holdMs }),
        },
      }
    case 'write':
      return { name: 'write_file', args: { path: fileOf(plan), content: id } }
    case 'read':
      return { name: 'read_file', args: { path: fileOf(plan) } }
  }
}
