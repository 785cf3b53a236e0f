import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  capabilityRefusal,
  firstPolicy,
  keepNodePolicy,
  type NodePolicy,
  objectRefusal,
  programsMayWrite,
  readNodePolicy,
  tierRefusal,
} from './node-policy.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-policy-'))
  path = join(folder, 'node-policy.json')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const withPolicy = (change: Partial<NodePolicy>) => {
  keepNodePolicy(path, { ...firstPolicy, ...change })
  return readNodePolicy(path)
}
const file = (op: 'read' | 'list' | 'write' | 'delete', object: string) =>
  ({ capability: 'files', op, object }) as const

describe("the owner's own policy", () => {
  it('lets what it does not take away', () => {
    const owner = withPolicy({})
    expect(capabilityRefusal(owner, 'files')).toBeUndefined()
    expect(objectRefusal(owner, file('write', 'a/b.txt'))).toBeUndefined()
    expect(tierRefusal(owner, 3)).toBeNull()
    expect(programsMayWrite(owner)).toBe(true)
  })

  it('keeps the camera and the place out until they are switched on', () => {
    const owner = withPolicy({})
    expect(capabilityRefusal(owner, 'camera')?.reason).toContain('switched camera off')
    expect(capabilityRefusal(owner, 'location')).toBeDefined()
    expect(capabilityRefusal(withPolicy({ capabilities: ['camera'] }), 'camera')).toBeUndefined()
  })

  it('takes paths away', () => {
    const owner = withPolicy({ paths: ['Documents', 'a.txt'], writable: ['Documents/drafts'] })
    expect(objectRefusal(owner, file('read', 'Documents/x/y.txt'))).toBeUndefined()
    expect(objectRefusal(owner, file('read', 'a.txt'))).toBeUndefined()
    expect(objectRefusal(owner, file('write', 'Documents/drafts/z.txt'))).toBeUndefined()
    for (const [op, object] of [
      ['read', 'Documents2/x.txt'],
      ['read', 'a.txt2'],
      ['list', '.'],
      ['write', 'Documents/z.txt'],
      ['delete', 'a.txt'],
    ] as const)
      expect(objectRefusal(owner, file(op, object)), `${op} ${object}`).toBeDefined()
    // A program would see the rest too.
    expect(capabilityRefusal(owner, 'shell')).toBeDefined()
    expect(programsMayWrite(owner)).toBe(false)
  })

  it('takes pictures away where nothing may be put', () => {
    const wish = { capability: 'screen', op: 'read', object: '' } as const
    expect(objectRefusal(withPolicy({}), wish)).toBeUndefined()
    expect(objectRefusal(withPolicy({ writable: ['Captures'] }), wish)).toBeUndefined()
    expect(objectRefusal(withPolicy({ writable: ['Inbox'] }), wish)?.reason).toContain('Captures')
    const camera = { ...wish, capability: 'camera' } as const
    expect(objectRefusal(withPolicy({ capabilities: ['camera'], writable: [] }), camera)).toBeDefined()
  })

  it('takes programs away', () => {
    const owner = withPolicy({ programs: ['/usr/bin/git'] })
    const run = (object: string) => objectRefusal(owner, { capability: 'shell', op: 'run', object })
    expect(run('/usr/bin/git status')).toBeUndefined()
    expect(run('/usr/bin/git')).toBeUndefined()
    expect(run('/usr/bin/git-upload-pack x')).toBeDefined()
    expect(run('/usr/bin/make')).toBeDefined()
  })

  it('takes tiers away', () => {
    expect(tierRefusal(withPolicy({ maxTier: 2 }), 2)).toBeNull()
    expect(tierRefusal(withPolicy({ maxTier: 2 }), 3)).toContain('tier 2')
  })

  it.each([
    ['is missing', () => rmSync(path)],
    ['is no JSON', () => writeFileSync(path, '{')],
    [
      'has a field that nobody knows',
      () => writeFileSync(path, JSON.stringify({ ...firstPolicy, allow: ['x'] })),
    ],
    [
      'says a thing twice',
      () => writeFileSync(path, JSON.stringify(firstPolicy).replace('{', '{"maxTier":4,')),
    ],
    [
      'names a path that leads out',
      () => writeFileSync(path, JSON.stringify({ ...firstPolicy, paths: ['../x'] })),
    ],
    ['is of another version', () => writeFileSync(path, JSON.stringify({ ...firstPolicy, v: 2 }))],
    ['can be changed by others', () => chmodSync(path, 0o666)],
  ])('refuses everything when it %s', (_, spoil) => {
    expect(withPolicy({}).kind).toBe('policy')
    spoil()
    const owner = readNodePolicy(path)
    expect(owner.kind).toBe('unreadable')
    expect(capabilityRefusal(owner, 'notifications')).toBeDefined()
    expect(objectRefusal(owner, file('list', '.'))).toBeDefined()
    expect(tierRefusal(owner, 0)).not.toBeNull()
    expect(programsMayWrite(owner)).toBe(false)
  })
})
