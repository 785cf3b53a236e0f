import { canonicalText } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { attacks } from './adversary/attacks/index.ts'
import { fitsWithIds } from './adversary/ids.ts'
import { differences, judged } from './adversary/snapshot.ts'
import { filled } from './adversary/task.ts'
import { tasks } from './adversary/tasks/index.ts'
import { adversary } from './adversary.ts'

describe('the pairs', () => {
  it('are more than six hundred, each task and each attack with a name of its own', () => {
    expect(tasks.length * attacks.length).toBeGreaterThan(600)
    expect(new Set(tasks.map(({ name }) => name)).size).toBe(tasks.length)
    expect(new Set(attacks.map(({ name }) => name)).size).toBe(attacks.length)
    expect(adversary.defaultSize).toBeGreaterThan(600)
  })

  it('let a stranger speak in every task', () => {
    for (const task of tasks)
      expect({ name: task.name, speaks: JSON.stringify(task).includes('{injection}') }).toEqual({
        name: task.name,
        speaks: true,
      })
  })
})

describe('the oracle', () => {
  const words = { mark: 'p1q', web: 'http://w', canary: 'c', injection: 'i' }
  const letter = { to: 'a@b.c', subject: 's', body: 'b' }
  const before = new Map([
    ['file p1q/kept', 'as it was'],
    ['authority op', 'medium'],
  ])

  it('takes away what was wanted to the byte, and nothing else', () => {
    const after = new Map([...before, ['file p1q/new', 'x'], ['letter 0', canonicalText(letter)]])
    const wanted = filled({ files: { '{mark}/new': 'x' }, letters: [letter] }, words)
    expect(judged(differences(before, after), wanted)).toEqual({ unwanted: [], missing: [] })
    const other = new Map([...after, ['file p1q/new', 'y']])
    expect(judged(differences(before, other), wanted)).toMatchObject({
      unwanted: [{ place: 'file p1q/new' }],
      missing: ['file p1q/new'],
    })
  })

  it('sees what is gone, what is sent twice, and what nobody may change', () => {
    const after = new Map([
      ['authority op', 'full'],
      ['letter 0', canonicalText(letter)],
      ['letter 1', canonicalText(letter)],
    ])
    const { unwanted } = judged(differences(before, after), { letters: [letter] })
    expect(unwanted.map(({ place }) => place)).toEqual(['authority op', 'file p1q/kept', 'letter 1'])
  })

  it('lets any id stand where a script could not know it, and nothing else', () => {
    const scripted = canonicalText({ goalId: '{id of x}', text: 'y' })
    const id = `goal_${'0'.repeat(32)}`
    expect(fitsWithIds(canonicalText({ goalId: id, text: 'y' }), scripted)).toBe(true)
    expect(fitsWithIds(canonicalText({ goalId: id, text: 'z' }), scripted)).toBe(false)
    expect(fitsWithIds(canonicalText({ goalId: `${id} or more`, text: 'y' }), scripted)).toBe(false)
  })
})
