/** Calls for the tests of this package: one of each shape that the tiers tell apart. */
import type { Autonomy, Effect, Label, Requester, Resource } from '@countersign/contract'
import { type ClassifyInput, classify } from '../classify.ts'
import { type CompileResult, compilePolicies, type PolicySet } from '../compile.ts'
import type { CallFacts } from '../facts.ts'
import type { PolicyFile } from '../source.ts'

export const autonomies: readonly Autonomy[] = ['none', 'low', 'medium', 'high', 'full']

export interface Shape {
  readonly category: string
  readonly effects: readonly Effect[]
  readonly resources: readonly Resource[]
  readonly secrets?: readonly string[]
}

const hash = '0'.repeat(64)

export const shapes = {
  question: {
    category: 'conversation',
    effects: [effect({ verb: 'ask', object: 'the operator' })],
    resources: [],
  },
  read: { category: 'file_read', effects: [effect({ verb: 'read' })], resources: [file('read')] },
  write: { category: 'file_write', effects: [effect({ verb: 'write' })], resources: [file('write')] },
  'read-outside': {
    category: 'file_read',
    effects: [effect({ verb: 'read', scope: 'boundary' })],
    resources: [{ ...file('read'), root: 'host', path: '/etc/hosts' }],
  },
  fetch: {
    category: 'network_read',
    effects: [effect({ verb: 'fetch', scope: 'boundary', leaves: ['a request'] })],
    resources: [url('GET')],
  },
  'fetch-secret': {
    category: 'network_read',
    effects: [effect({ verb: 'fetch', scope: 'boundary', leaves: ['a request', 'the secret mine'] })],
    resources: [{ ...url('GET'), carries: 'more' }],
    secrets: ['mine'],
  },
  delete: {
    category: 'file_delete',
    effects: [effect({ verb: 'delete', reversible: false })],
    resources: [file('delete')],
  },
  command: {
    category: 'system',
    effects: [effect({ verb: 'execute', reversible: false })],
    resources: [exec(false)],
  },
  shell: {
    category: 'system',
    effects: [effect({ verb: 'execute', reversible: false })],
    resources: [exec(true)],
  },
  'shell-network': {
    category: 'system',
    effects: [effect({ verb: 'execute', reversible: false, leaves: ['whatever it sends'] })],
    resources: [exec(true)],
  },
  send: {
    category: 'network_write',
    effects: [
      effect({ verb: 'send', scope: 'boundary', reversible: false, outward: true, leaves: ['the text'] }),
    ],
    resources: [{ type: 'peer', channel: 'mail', account: 'me', peer: 'bob@example.org' }],
  },
  authority: {
    category: 'custom',
    effects: [effect({ verb: 'authority', reversible: false })],
    resources: [],
  },
} satisfies Record<string, Shape>

export type ShapeName = keyof typeof shapes

export interface CallOptions {
  readonly label?: Partial<Label>
  readonly requester?: Requester['kind']
  readonly unattended?: boolean
  readonly granted?: boolean
  readonly identityFlags?: boolean
}

export function callOf(name: ShapeName, options: CallOptions = {}): CallFacts {
  const shape: Shape = shapes[name]
  const input: ClassifyInput = {
    tool: { name, category: shape.category, floor: 0, declaresEffects: true },
    effects: shape.effects,
    resources: shape.resources,
    label: { integrity: 'operator', confidentiality: 'public', sources: [], ...options.label },
    requester: { kind: options.requester ?? 'operator', id: 'requester_1' },
    identityFlags: options.identityFlags ?? false,
  }
  return {
    tool: { name, category: shape.category },
    classification: classify(input),
    effects: input.effects,
    resources: input.resources,
    secrets: shape.secrets ?? [],
    label: input.label,
    requester: input.requester,
    unattended: options.unattended ?? false,
    granted: options.granted === true ? { id: 'grant_1' } : null,
  }
}

export function setOf(autonomy: Autonomy, ...files: readonly PolicyFile[]): PolicySet {
  return compiledSet(compilePolicies({ autonomy, files }))
}

export function compiledSet(result: CompileResult): PolicySet {
  if (result.kind === 'invalid') throw new Error(JSON.stringify(result.problems))
  return result.set
}

export function effect(changes: Partial<Effect> & Pick<Effect, 'verb'>): Effect {
  return { object: 'notes/a.txt', scope: 'inside', reversible: true, outward: false, leaves: [], ...changes }
}

export function file(op: 'read' | 'write' | 'delete'): Resource & { type: 'file' } {
  return {
    type: 'file',
    root: 'workspace',
    path: '/home/me/work/notes/a.txt',
    op,
    identity: 'absent',
    content: null,
  }
}

export function url(
  method: string,
  addressClass: 'public' | 'private' = 'public',
): Resource & { type: 'url' } {
  return {
    type: 'url',
    scheme: 'https',
    host: 'example.org',
    port: 443,
    method,
    addressClass,
    redirects: 'refused',
    carries: 'address',
  }
}

export function exec(uninspectable: boolean): Resource & { type: 'exec' } {
  const argv = uninspectable ? ['sh', '-c', 'make'] : ['make']
  return {
    type: 'exec',
    path: '/usr/bin/make',
    content: hash,
    argv,
    cwd: '/',
    environment: hash,
    uninspectable,
    view: null,
  }
}
