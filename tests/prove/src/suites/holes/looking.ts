/**
 * Owns what the door says to a look at a public address. No attack may really reach one, so the parts of the door are
 * asked themselves, with the rows that a task would have.
 */
import { type Label, operatorLabel } from '@countersign/contract'
import {
  compilePolicies,
  factsOf,
  judgeBare,
  nothingKnown,
  type TaskSoFar,
  taskFactsOf,
} from '@countersign/policy'
import { soFarOf, type TaskCall } from '../../../../../packages/kernel/src/dispatch/task-so-far.ts'

const fetching = {
  verb: 'fetch' as const,
  object: 'a page',
  scope: 'boundary' as const,
  reversible: true,
  outward: false,
  leaves: ['the address'],
}

export const strangers: Label = { ...operatorLabel, integrity: 'untrusted', sources: ['web'] }

/** A task whose first look showed this text, after so many others. */
export function taskThatRead(
  text: string,
  args = '{"url":"https://news.example/"}',
  looks = 0,
  said = 'What is new?',
): TaskSoFar {
  const task = { ...nothingKnown, look: true }
  const call: TaskCall = { args, resources: [], task, left: null, text, ok: true, unled: false }
  const others = Array.from({ length: Math.max(0, looks - 1) }, () => ({ ...call, text: '' }))
  return soFarOf([call, ...others], { earlier: [], now: [said] })
}

/** What policy says at medium. */
export function lookedAt(url: string, label: Label, soFar: TaskSoFar): string {
  const compiled = compilePolicies({ autonomy: 'medium', files: [] })
  if (compiled.kind === 'invalid') throw new Error('The bundled rules do not compile.')
  const { hostname: host } = new URL(url)
  const call = {
    effects: [fetching],
    resources: [
      {
        type: 'url' as const,
        scheme: 'https' as const,
        host,
        port: 443,
        method: 'GET',
        addressClass: 'name' as const,
        redirects: 'same-host' as const,
        carries: 'address' as const,
      },
    ],
    label,
    requester: { kind: 'operator' as const, id: 'desk' },
    unattended: false,
    secrets: [],
  }
  const name = 'fetch_web_page'
  const task = taskFactsOf(
    { ...call, tool: { name }, args: { url }, firstHand: true, inReader: false, uses: [] },
    soFar,
  )
  const tool = { name, category: 'web', floor: 2 as const, declaresEffects: true }
  const { decision } = judgeBare(factsOf({ ...call, tool, identityFlags: false, task }), compiled.set)
  compiled.set.dispose()
  return decision.kind
}
