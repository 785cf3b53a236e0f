import type { Label, Resource, Tier } from '@countersign/contract'
import { describe, expect, test } from 'vitest'
import { type ClassifyInput, classify } from './classify.ts'
import { effect, exec, url } from './testing/calls.ts'

const read: ClassifyInput = {
  tool: { name: 'read_file', category: 'file_read', floor: 0, declaresEffects: true },
  effects: [effect({ verb: 'read' })],
  resources: [],
  label: { integrity: 'operator', confidentiality: 'public', sources: [] },
  requester: { kind: 'operator', id: 'operator_1' },
  identityFlags: false,
}
const untrusted: Label = { integrity: 'untrusted', confidentiality: 'public', sources: ['mail'] }

describe('classify', () => {
  test('takes the highest of several effects', () => {
    const effects = [effect({ verb: 'read' }), effect({ verb: 'send' }), effect({ verb: 'write' })]
    expect(classify({ ...read, effects })).toEqual({ tier: 3, base: 3, raised: [] })
  })

  test('holds a call at the floor of its tool and says so', () => {
    const tool = { ...read.tool, floor: 2 } as const
    expect(classify({ ...read, tool })).toEqual({
      tier: 2,
      base: 0,
      raised: ['this kind of action is at least “Crosses a boundary”'],
    })
  })

  test('puts a change of what a host program runs when it is started at T2, and above where it cannot be undone', () => {
    const change = effect({ verb: 'write', scope: 'host-run' })
    expect(classify({ ...read, effects: [change] }).tier).toBe(2)
    expect(classify({ ...read, effects: [{ ...change, reversible: false }] }).tier).toBe(3)
    expect(classify({ ...read, effects: [{ ...change, scope: 'boundary' }] }).tier).toBe(3)
  })

  test('holds a call of a tool of a server at the tier that was accepted, whatever its effects claim', () => {
    const hash = '0'.repeat(64)
    const accepted = (tier: Tier): Resource => ({
      type: 'server-tool',
      server: 'github',
      launch: hash,
      tool: 'create_issue',
      definition: hash,
      tier,
      reaches: false,
    })
    for (const tier of [0, 1, 2, 3, 4] as const)
      expect(classify({ ...read, resources: [accepted(tier)] }).tier).toBe(tier)
    expect(classify({ ...read, effects: [effect({ verb: 'send' })], resources: [accepted(1)] }).tier).toBe(3)
  })

  test('never lowers a call to the floor of its tool', () => {
    const tool = { ...read.tool, floor: 1 } as const
    expect(classify({ ...read, tool, effects: [effect({ verb: 'send' })] }).tier).toBe(3)
  })

  test('puts a tool that declares no effects at T3, and one that declares none because it has none at T0', () => {
    const silent = { ...read.tool, declaresEffects: false }
    expect(classify({ ...read, tool: silent, effects: [] }).tier).toBe(3)
    expect(classify({ ...read, effects: [] }).tier).toBe(0)
  })

  test('puts an uninspectable command at T3 whatever its effects claim', () => {
    expect(classify({ ...read, resources: [exec(true)] }).tier).toBe(3)
    expect(classify({ ...read, resources: [exec(false)] }).tier).toBe(0)
  })

  test('raises a write by one for untrusted content, and leaves a look alone', () => {
    const write = { ...read, effects: [effect({ verb: 'write' })] }
    expect(classify({ ...write, label: untrusted })).toEqual({
      tier: 2,
      base: 1,
      raised: ['untrusted content led to this call'],
    })
    expect(classify({ ...write, label: { ...untrusted, integrity: 'tool' } }).tier).toBe(1)
    expect(classify({ ...read, label: untrusted }).tier).toBe(0)
  })

  test('takes what a webhook brought as untrusted whatever its label says', () => {
    const write = { ...read, effects: [effect({ verb: 'write' })] }
    expect(classify({ ...write, requester: { kind: 'webhook', id: 'hook_1' } }).tier).toBe(2)
    expect(classify({ ...write, requester: { kind: 'peer', id: 'peer_1' } }).tier).toBe(1)
  })

  test('raises to T3 at most, so that taint alone never asks for a passkey', () => {
    const everything = {
      ...read,
      effects: [effect({ verb: 'send' })],
      resources: [url('GET', 'private')],
      label: untrusted,
      identityFlags: true,
    }
    expect(classify(everything)).toEqual({ tier: 3, base: 3, raised: [] })
  })

  test('raises a look for suspicious names, and then for taint too', () => {
    expect(classify({ ...read, identityFlags: true }).tier).toBe(1)
    expect(classify({ ...read, identityFlags: true, label: untrusted }).tier).toBe(2)
  })

  test('raises a fetch from an inner address and not one from a public address', () => {
    const fetch = { ...read, effects: [effect({ verb: 'fetch' })] }
    expect(classify({ ...fetch, resources: [url('GET', 'private')] }).tier).toBe(3)
    expect(classify({ ...fetch, resources: [url('GET')] }).tier).toBe(2)
  })

  test('keeps authority at T4', () => {
    expect(classify({ ...read, effects: [effect({ verb: 'authority' })], label: untrusted }).tier).toBe(4)
  })
})
