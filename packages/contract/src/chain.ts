/**
 * Owns the chain of who asked for a call, from whoever began it to the tool. It is data, taken from the records of the
 * run, and stands in the subject, so it is sealed with the call.
 */
import { z } from 'zod'
import type { Requester } from './trust.ts'

export const ChainLink = z.strictObject({
  kind: z.enum([
    'operator',
    'peer',
    'schedule',
    'webhook',
    /** What set a schedule off: its id is the cause. */
    'trigger',
    'goal',
    'plan',
    'step',
    'task',
    'agent',
    'run',
    /** The operator makes the call by hand. */
    'manual',
    /** The operator takes back what a run did. */
    'undo',
    /** The operator lets a call of an agent be asked that was held, because nobody had asked for it. */
    'held',
    /** The operator changed the arguments. */
    'edit',
    'batch',
    /** A tool that was made in a conversation. */
    'custom',
    'tool',
  ]),
  id: z.string(),
  /** For people, safe to show. */
  name: z.string(),
})
export type ChainLink = z.infer<typeof ChainLink>

export const Chain = z.array(ChainLink).min(2).max(200)
export type Chain = z.infer<typeof Chain>

export interface ChainFacts {
  readonly chain: Chain
  readonly requester: Requester
  readonly agent: string
  readonly run: string
  readonly tool: { readonly name: string }
}

const beginnings: ReadonlySet<ChainLink['kind']> = new Set(['operator', 'peer', 'schedule', 'webhook'])

/** Says why the chain is not the chain of the call that stands beside it, or nothing. */
export function chainProblem({ chain, requester, agent, run, tool }: ChainFacts): string | null {
  const names = (kind: ChainLink['kind'], id: string) =>
    chain.some((link) => link.kind === kind && link.id === id)
  const [first] = chain
  const last = chain.at(-1)
  if (!first || !beginnings.has(first.kind)) return 'its chain does not say who began it'
  if (!names(requester.kind, requester.id)) return 'its chain leaves out who it is made for'
  const isManual = chain.some(({ kind }) => kind === 'manual' || kind === 'undo' || kind === 'held')
  if (!isManual && !names('agent', agent)) return 'its chain names another agent'
  if (chain.some((link) => link.kind === 'run' && link.id !== run) || !names('run', run))
    return 'its chain names another run'
  if (last?.kind !== 'tool' || last.id !== tool.name || last.name !== tool.name)
    return 'its chain ends at another tool'
  return null
}

/** One link in words. */
export function linkWords({ kind, name }: ChainLink): string {
  switch (kind) {
    case 'operator':
      return name === '' ? 'you' : `you (${name})`
    case 'schedule':
      return `automation “${name}”`
    case 'webhook':
      return `webhook “${name}”`
    case 'goal':
      return `goal “${name}”`
    case 'plan':
      return `plan “${name}”`
    case 'step':
      return `step “${name}”`
    case 'task':
      return `task “${name}”`
    case 'custom':
      return `custom tool ${name}`
    case 'manual':
      return 'by hand'
    case 'undo':
      return name === '' ? 'undo' : `undo of ${name}`
    case 'held':
      return 'held call of an agent'
    case 'edit':
      return 'changed by you'
    case 'batch':
      return 'batch'
    case 'peer':
    case 'trigger':
    case 'agent':
    case 'run':
    case 'tool':
      return name
  }
}
