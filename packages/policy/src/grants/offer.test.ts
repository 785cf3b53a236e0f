import type { Label } from '@countersign/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { type CallOptions, callOf, type ShapeName, setOf } from '../testing/calls.ts'
import { offersOf } from './offer.ts'

const medium = setOf('medium')
const low = setOf('low')
afterAll(() => {
  medium.dispose()
  low.dispose()
})

const offer = (name: ShapeName, options: CallOptions, brings: Partial<Label> = {}, set = medium) => {
  const facts = callOf(name, options)
  const again = callOf(name, { ...options, label: { ...options.label, ...brings } })
  const { resources, effects } = facts
  return offersOf({ call: { tool: name, argsHash: 'a', resources, effects }, facts, again }, set)
}
const none = { run: false, stops: [] }
const nothing = { scopes: [], stops: [], untrusted: none }

describe('the grants that a request offers', () => {
  it('are rules only where the answer itself is untrusted: every scope would ask again inside of itself', () => {
    const web = { integrity: 'untrusted' } as const
    expect(offer('fetch', { label: { confidentiality: 'private' } }, web)).toEqual({
      scopes: [],
      stops: ['call', 'target', 'place', 'tool'],
      untrusted: none,
    })
  })

  it('are for the run, the session and a time where the next call of the run would be answered', () => {
    const read = { integrity: 'tool', confidentiality: 'private' } as const
    expect(offer('write', {}, read, low).scopes).toEqual(['run', 'session', 'time'])
    expect(offer('read-outside', {}, read)).toEqual({
      scopes: ['run', 'session', 'time'],
      stops: ['call', 'target'],
      untrusted: none,
    })
  })

  it('are none where policy asks whatever was granted', () => {
    expect(offer('fetch-secret', {})).toEqual(nothing)
    expect(offer('fetch', { label: { confidentiality: 'secret' } })).toEqual(nothing)
    expect(offer('fetch', { label: { integrity: 'untrusted' } })).toEqual(nothing)
    expect(offer('write', { label: { integrity: 'untrusted' } })).toEqual(nothing)
    expect(offer('send', {})).toEqual(nothing)
  })

  it('are none at autonomy none, where no grant is taken for consent', () => {
    const none = setOf('none')
    expect(offer('fetch', {}, {}, none)).toEqual(nothing)
    none.dispose()
  })
})
