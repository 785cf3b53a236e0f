/** Owns what the door says to a reader and to whoever opens one, asked part by part: no attack may reach a public address. */
import { type Label, operatorLabel, type UrlResource } from '@countersign/contract'
import { compilePolicies, factsOf, judgeBare, type TaskSoFar, taskFactsOf } from '@countersign/policy'
import { soFarOf } from '../../../../../packages/kernel/src/dispatch/task-so-far.ts'

const fetching = {
  verb: 'fetch' as const,
  object: 'the public web',
  scope: 'boundary' as const,
  reversible: true,
  outward: false,
  leaves: ['what is asked for'],
}
const knowing: Label = { integrity: 'untrusted', confidentiality: 'private', sources: ['mail'] }

/** What policy says at medium to a question of a run that knows something private and has read strangers' words. */
export function askedFor(question: string, said: string): string {
  return decidedAt({
    name: 'read_web',
    args: { question },
    label: knowing,
    resources: [],
    inReader: false,
    soFar: soFarOf([], { earlier: [], now: [said] }),
  })
}

/** What it says to a look of a reader that has looked so often before. */
export function readAt(
  url: string,
  { addressClass = 'name' as UrlResource['addressClass'], looks = 0, port = 443 } = {},
): string {
  const { hostname: host } = new URL(url)
  const page = {
    type: 'url' as const,
    scheme: 'https' as const,
    host,
    port,
    method: 'GET',
    addressClass,
    redirects: 'same-host' as const,
    carries: 'address' as const,
  }
  return decidedAt({
    name: 'fetch_web_page',
    args: { url },
    label: { ...operatorLabel, integrity: 'untrusted', sources: ['web'] },
    resources: [page],
    inReader: true,
    soFar: { ...soFarOf([], { earlier: [], now: ['What is new?'] }), looks },
  })
}

interface DoorCall {
  readonly name: string
  readonly args: Record<string, string>
  readonly label: Label
  readonly resources: UrlResource[]
  readonly inReader: boolean
  readonly soFar: TaskSoFar
}

function decidedAt({ name, args, label, resources, inReader, soFar }: DoorCall): string {
  const compiled = compilePolicies({ autonomy: 'medium', files: [] })
  if (compiled.kind === 'invalid') throw new Error('The bundled rules do not compile.')
  const requester = { kind: 'operator' as const, id: 'desk' }
  const call = { effects: [fetching], resources, label, requester, unattended: false, secrets: [] }
  const task = taskFactsOf({ ...call, tool: { name }, args, firstHand: !inReader, inReader, uses: [] }, soFar)
  const tool = { name, category: 'web', floor: 2 as const, declaresEffects: true }
  const { decision } = judgeBare(factsOf({ ...call, tool, identityFlags: false, task }), compiled.set)
  compiled.set.dispose()
  return decision.kind
}
