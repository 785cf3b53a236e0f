import type { Label, Requester } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { type Acquaintance, classify } from './classify.ts'
import { decide } from './decide.ts'
import type { CallFacts } from './facts.ts'
import { callOf, effect, setOf, shapes, url } from './testing/calls.ts'

const known: Acquaintance = { verbatim: true, named: true }
const untrusted: Partial<Label> = { integrity: 'untrusted' }

interface Change {
  readonly acquaintance?: Acquaintance
  readonly label?: Partial<Label>
  readonly requester?: Requester['kind']
  readonly unattended?: boolean
  readonly facts?: Partial<CallFacts>
}

function fetching({
  acquaintance = known,
  label = {},
  requester = 'operator',
  unattended = false,
  facts = {},
}: Change = {}) {
  const call: CallFacts = { ...callOf('fetch', { label, requester, unattended }), ...facts, acquaintance }
  const tool = { ...call.tool, floor: 2 as const, declaresEffects: true }
  return { ...call, classification: classify({ ...call, tool, identityFlags: false }) }
}

const medium = setOf('medium')
const answer = (change: Change) => decide(fetching(change), medium).kind

describe('a look at a host that the operator named', () => {
  it('is free while nothing private is in reach', () => {
    expect(answer({})).toBe('allow')
    expect(decide(fetching(), medium).rules.map(({ id }) => id)).toEqual(['level.medium-named'])
  })

  it.each([
    ['nobody knows the host', { acquaintance: { verbatim: true, named: false } }],
    ['something private is in reach', { label: { confidentiality: 'private' } }],
    ['nobody is watching', { unattended: true }],
    ['a schedule asks', { requester: 'schedule' }],
    ['a paired person asks', { requester: 'peer' }],
    ['a webhook asks', { requester: 'webhook' }],
    ['it sends', { facts: { effects: shapes.send.effects, resources: [url('POST')] } }],
    ['it also writes', { facts: { effects: [...shapes.fetch.effects, effect({ verb: 'write' })] } }],
  ] satisfies [string, Change][])('asks where %s', (_, change) => {
    expect(answer(change)).toBe('ask')
  })

  it('asks where nobody told who the host is', () => {
    const { acquaintance: _, ...untold } = fetching()
    expect(decide(untold, medium).kind).toBe('ask')
  })

  it('is not free at the level below', () => {
    expect(decide(fetching(), setOf('low')).kind).toBe('ask')
  })
})

describe('an address that untrusted content gave', () => {
  it('stays a fetch where it is taken to the byte', () => {
    expect(fetching({ label: untrusted }).classification.tier).toBe(2)
    expect(answer({ label: untrusted })).toBe('allow')
  })

  it('asks at the first contact with its host, and a grant can cover it', () => {
    const first = fetching({ label: untrusted, acquaintance: { verbatim: true, named: false } })
    expect(decide(first, medium).kind).toBe('ask')
    expect(decide({ ...first, granted: { id: 'grant_1' } }, medium).kind).toBe('allow')
  })

  it.each([
    ['was put together, even for a host that was named', { acquaintance: { verbatim: false, named: true } }],
    ['meets something private', { label: { ...untrusted, confidentiality: 'private' } }],
    ['was given by a webhook', { requester: 'webhook' }],
    ['is sent to', { facts: { effects: shapes.send.effects, resources: [url('POST')] } }],
    ['is not on the public internet', { facts: { resources: [url('GET', 'private')] } }],
    ['is also written down', { facts: { effects: [...shapes.fetch.effects, effect({ verb: 'write' })] } }],
  ] satisfies [string, Change][])('is raised where it %s', (_, change) => {
    const call = fetching({ label: untrusted, ...change })
    expect(call.classification.tier).toBe(3)
    expect(decide({ ...call, granted: { id: 'grant_1' } }, medium).kind).toBe('ask')
  })
})
