import { idFrom, type NodeCapabilityState, type NodeView } from '@countersign/contract'
import { describe, expect, test } from 'vitest'
import { deniedOf, nodesInOrder, offAfter, standingOf, usableOf } from './node-state.ts'

const capability = (
  name: NodeCapabilityState['capability'],
  state: NodeCapabilityState['state'],
): NodeCapabilityState => ({ capability: name, state, reason: '', fix: '' })

describe('what a capability is worth', () => {
  test('it can be used only where the node has it ready and nobody switched it off', () => {
    expect(standingOf(capability('files', 'ready'), [])).toBe('usable')
    expect(standingOf(capability('files', 'ready'), ['files'])).toBe('limited')
    expect(standingOf(capability('files', 'ready'), ['shell'])).toBe('usable')
  })

  test('what the system refuses is told apart from what is not wanted or not there', () => {
    expect(standingOf(capability('camera', 'denied'), [])).toBe('denied')
    expect(standingOf(capability('camera', 'off'), [])).toBe('unused')
    expect(standingOf(capability('camera', 'missing'), [])).toBe('unused')
  })

  test('what is off here needs nobody to allow it there', () => {
    const mine = node({ capabilities: [capability('camera', 'denied'), capability('files', 'ready')] })
    expect(deniedOf(mine)).toEqual(['camera'])
    expect(usableOf(mine)).toEqual(['files'])
    expect(deniedOf({ ...mine, off: ['camera', 'files'] })).toEqual([])
    expect(usableOf({ ...mine, off: ['camera', 'files'] })).toEqual([])
  })

  test('a node that was never connected can do nothing', () => {
    expect(usableOf({ advert: null, off: [] })).toEqual([])
  })
})

describe('a switch', () => {
  test('leaves the others as they are', () => {
    expect(offAfter(['screen'], 'camera', false)).toEqual(['screen', 'camera'])
    expect(offAfter(['screen', 'camera'], 'camera', true)).toEqual(['screen'])
  })

  test('says a thing once, however often it is switched off', () => {
    expect(offAfter(['camera'], 'camera', false)).toEqual(['camera'])
    expect(offAfter([], 'camera', true)).toEqual([])
  })
})

test('a complaint comes first, then who is there; who was revoked is not among them', () => {
  const away = node({ name: 'away' })
  const here = node({ name: 'here', online: true })
  const complains = node({ name: 'complains', complaint: 'It is another ledger.' })
  const gone = node({ name: 'gone', revokedAt: '2026-11-02T00:00:00.000Z' })
  expect(nodesInOrder([away, gone, here, complains]).map(({ name }) => name)).toEqual([
    'complains',
    'here',
    'away',
  ])
})

function node({
  capabilities = [],
  ...other
}: Partial<NodeView> & { readonly capabilities?: NodeCapabilityState[] }): NodeView {
  return {
    id: idFrom('node', '1'.padStart(32, '0')),
    name: 'desk',
    platform: 'Linux',
    key: btoa('k'.repeat(32)),
    addedAt: '2026-11-01T00:00:00.000Z',
    revokedAt: null,
    online: false,
    seenAt: null,
    advert: {
      executor: idFrom('exe', '2'.padStart(32, '0')),
      platform: 'linux',
      version: '0.1.0',
      sandbox: { kind: 'available', name: 'bubblewrap' },
      folder: 'Countersign',
      capabilities,
      statements: 3,
      witnessed: 100,
    },
    off: [],
    complaint: null,
    busy: 0,
    ...other,
  }
}
