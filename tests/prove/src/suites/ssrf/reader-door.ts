/**
 * Owns what the door says to a look of a reader: the address as the executor reads it, judged by the parts of the door. A
 * reader is led by pages, and goes nowhere but to the public web, at the usual port, with nothing like a key in the address.
 */
import { type Label, operatorLabel } from '@countersign/contract'
import { compilePolicies, factsOf, judgeBare, taskFactsOf } from '@countersign/policy'
import { describeTarget } from '../../../../../packages/executor/src/egress/target.ts'
import { soFarOf } from '../../../../../packages/kernel/src/dispatch/task-so-far.ts'

export interface ReaderDoor {
  /** Whether it may look there unasked; a reader asks nobody. */
  isOpen(url: string): boolean
  close(): void
}

const led: Label = { ...operatorLabel, integrity: 'untrusted', sources: ['web'] }

export function openReaderDoor(): ReaderDoor {
  const compiled = compilePolicies({ autonomy: 'full', files: [] })
  if (compiled.kind === 'invalid') throw new Error('The bundled rules do not compile.')
  return {
    isOpen(url) {
      const target = describeTarget(url)
      if (target.kind === 'refused') return false
      const { scheme, asciiHost: host, port, ipClass } = target
      const resource = {
        type: 'url' as const,
        scheme,
        host,
        port,
        method: 'GET',
        // As the inspector says it; what it does not know is no public address.
        addressClass:
          ipClass === undefined ? ('name' as const) : ipClass === 'public' ? ipClass : ('private' as const),
        redirects: 'same-host' as const,
        carries: 'address' as const,
      }
      const effect = {
        verb: 'fetch' as const,
        object: host,
        scope: 'boundary' as const,
        reversible: true,
        outward: false,
        leaves: ['the address'],
      }
      const call = {
        effects: [effect],
        resources: [resource],
        label: led,
        requester: { kind: 'operator' as const, id: 'desk' },
        unattended: false,
        secrets: [],
      }
      const soFar = soFarOf([], { earlier: [], now: ['What is new?'] })
      const name = 'fetch_web_page'
      const inTask = { ...call, tool: { name }, args: { url }, firstHand: false, inReader: true, uses: [] }
      const tool = { name, category: 'web', floor: 2 as const, declaresEffects: true }
      const facts = factsOf({ ...call, tool, identityFlags: false, task: taskFactsOf(inTask, soFar) })
      return judgeBare(facts, compiled.set).decision.kind === 'allow'
    },
    close: () => compiled.set.dispose(),
  }
}
