/** Owns who begins a task, and what becomes of the work of a helper or a plan when the task has ended. */
import { joinLabels, type Label } from '@countersign/contract'
import type { Cause } from '../installed.ts'
import type { SourceTask } from './source.ts'
import type { World } from './world.ts'

const collections: Readonly<Record<string, string>> = { agent: 'agent_tasks', plan: 'plans' }

/** `operator`, `schedule name`, `peer name`, `webhook name`, `agent handle`, `plan handle` or `plan handle ahead`. */
export async function causeOf({ by, id }: SourceTask, world: World): Promise<Cause> {
  const [kind = '', name = '', ahead] = by.split(' ')
  const own = { agent: 'assistant', work: null, leased: false }
  switch (kind) {
    case 'operator':
      return { requester: { kind, id: 'the operator' }, ...own }
    case 'schedule':
    case 'peer':
    case 'webhook':
      return { requester: { kind, id: name }, ...own }
    case 'agent':
    case 'plan': {
      const record = await world.records.get(collections[kind] ?? '', world.idOf(name))
      if (!record) throw new Error(`${id}: ${name} is not there.`)
      return {
        requester: { kind: 'operator', id: 'the operator' },
        agent: kind === 'agent' ? 'task' : 'plan',
        work: record.label ?? { integrity: 'tool', confidentiality: 'private', sources: [] },
        leased: ahead === 'ahead',
      }
    }
    default:
      throw new Error(`${id}: unknown cause ${by}.`)
  }
}

/** The work has ended, and is worth what the run was worth. */
export async function settle({ by }: SourceTask, label: Label, world: World): Promise<void> {
  const [kind = '', name = ''] = by.split(' ')
  const collection = collections[kind]
  const record = collection === undefined ? null : await world.records.get(collection, world.idOf(name))
  if (!record || collection === undefined) return
  const ended = kind === 'agent' ? { status: 'completed', result: 'done' } : { status: 'completed' }
  const worth = record.label ? joinLabels(record.label, label) : label
  await world.records.replace(collection, record.id, record.version, { ...record.data, ...ended }, worth)
}
