import type { Effect, Label, Requester } from '@countersign/contract'
import { expect, test } from 'vitest'
import { type ClassifyInput, classify } from './classify.ts'
import { decide } from './decide.ts'
import { nothingKnown } from './task-facts.ts'
import { autonomies, callOf, effect, exec, type ShapeName, setOf, shapes, url } from './testing/calls.ts'
import { expectGolden } from './testing/golden.ts'

const letters = { allow: 'a', ask: '?', deny: 'x' } as const

const labels: readonly Pick<Label, 'integrity' | 'confidentiality'>[] = [
  { integrity: 'operator', confidentiality: 'public' },
  { integrity: 'operator', confidentiality: 'private' },
  { integrity: 'operator', confidentiality: 'secret' },
  { integrity: 'paired', confidentiality: 'private' },
  { integrity: 'tool', confidentiality: 'private' },
  { integrity: 'untrusted', confidentiality: 'public' },
  { integrity: 'untrusted', confidentiality: 'private' },
  { integrity: 'untrusted', confidentiality: 'secret' },
]

const requesters: readonly Requester['kind'][] = ['operator', 'peer', 'schedule', 'webhook']

test('every decision of the bundled rules is the one in the golden table', () => {
  const sets = autonomies.map((autonomy) => setOf(autonomy))
  const rows = [
    '# a allow, ? ask, x deny; the four letters: plain, granted, unattended, granted and unattended',
    `# ${'tool'.padEnd(13)} tier ${'requester'.padEnd(9)} ${'taint'.padEnd(17)} ${autonomies.map((name) => name.padEnd(6)).join(' ')}`.trimEnd(),
  ]
  const seen = new Set<string>()
  for (const name of Object.keys(shapes) as ShapeName[]) {
    for (const requester of requesters) {
      for (const label of labels) {
        const cells = sets.map((set) =>
          [false, true]
            .flatMap((unattended) =>
              [false, true].map((granted) => {
                const { kind } = decide(callOf(name, { label, requester, unattended, granted }), set)
                seen.add(kind)
                return letters[kind]
              }),
            )
            .join(''),
        )
        const { tier } = callOf(name, { label, requester }).classification
        const taint = `${label.integrity}/${label.confidentiality}`
        rows.push(
          `${name.padEnd(15)} T${tier}   ${requester.padEnd(9)} ${taint.padEnd(17)} ${cells.map((cell) => cell.padEnd(6)).join(' ')}`.trimEnd(),
        )
      }
    }
  }
  for (const set of sets) set.dispose()
  expect(seen).toEqual(new Set(['allow', 'ask', 'deny']))
  expectGolden('decisions.txt', `${rows.join('\n')}\n`)
}, 120_000)

test('every tier is the one in the golden table', () => {
  const columns: Record<string, Partial<ClassifyInput>> = {
    plain: {},
    floor2: { tool: { name: 't', category: 'custom', floor: 2, declaresEffects: true } },
    undeclared: { tool: { name: 't', category: 'custom', floor: 0, declaresEffects: false } },
    shell: { resources: [exec(true)] },
    names: { identityFlags: true },
    inner: { resources: [url('GET', 'private')] },
    untrusted: { label: { integrity: 'untrusted', confidentiality: 'public', sources: ['web'] } },
    fresh: {
      label: { integrity: 'untrusted', confidentiality: 'public', sources: ['web'] },
      task: { ...nothingKnown, fresh: true },
    },
    look: {
      label: { integrity: 'untrusted', confidentiality: 'public', sources: ['web'] },
      task: { ...nothingKnown, look: true },
    },
    webhook: { requester: { kind: 'webhook', id: 'hook_1' } },
    'names+untrusted': {
      identityFlags: true,
      label: { integrity: 'untrusted', confidentiality: 'public', sources: ['web'] },
    },
  }
  const rows = [`# ${'effect'.padEnd(46)} ${Object.keys(columns).join(' ')}`]
  for (const shape of everyEffect()) {
    const input: ClassifyInput = {
      tool: { name: 't', category: 'custom', floor: 0, declaresEffects: true },
      effects: [shape],
      resources: [],
      label: { integrity: 'operator', confidentiality: 'public', sources: [] },
      requester: { kind: 'operator', id: 'operator_1' },
      identityFlags: false,
    }
    const tiers = Object.entries(columns).map(([name, changes]) =>
      `T${classify({ ...input, ...changes }).tier}`.padEnd(name.length),
    )
    const words = [
      shape.verb.padEnd(9),
      shape.scope.padEnd(8),
      shape.reversible ? 'undo   ' : 'no-undo',
      shape.outward ? 'outward' : '       ',
      shape.leaves.length > 0 ? 'leaves' : '',
    ]
    rows.push(`${words.join(' ').padEnd(48)} ${tiers.join(' ')}`.trimEnd())
  }
  expectGolden('tiers.txt', `${rows.join('\n')}\n`)
})

function everyEffect(): readonly Effect[] {
  const verbs: readonly Effect['verb'][] = [
    'read',
    'list',
    'write',
    'delete',
    'fetch',
    'send',
    'execute',
    'spend',
    'ask',
    'authority',
  ]
  return verbs.flatMap((verb) =>
    (['inside', 'boundary'] as const).flatMap((scope) =>
      [true, false].flatMap((reversible) =>
        [false, true].flatMap((outward) =>
          [[], ['the text']].map((leaves) => effect({ verb, scope, reversible, outward, leaves })),
        ),
      ),
    ),
  )
}
