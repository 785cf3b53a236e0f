import { PlanSteps } from '@countersign/contract'
import { expect, test } from 'vitest'
import { planLayout } from './layout.ts'

const steps = PlanSteps.parse([
  { type: 'tool_call', id: 'list', name: 'List the receipts', tool: 'list_directory', args: { path: '.' } },
  {
    type: 'condition',
    id: 'any',
    name: 'Are there any?',
    left: '{{list.result}}',
    operator: 'exists',
    onTrue: ['each'],
    onFalse: ['tell'],
  },
  { type: 'loop', id: 'each', name: 'File each', over: '{{list.result}}', steps: ['file', 'check'] },
  { type: 'tool_call', id: 'file', name: 'File it', tool: 'move_file', args: {} },
  { type: 'llm_decision', id: 'check', name: 'Look at it', prompt: 'Is it right?', dependsOn: ['file'] },
  { type: 'user_input', id: 'tell', name: 'Say that there are none', question: 'None. Go on?' },
])

test('puts each step below what it waits for, and what a loop holds inside its frame', () => {
  const { boxes, width, height } = planLayout(steps)
  const box = (id: string) => boxes.find(({ step }) => step.id === id) ?? expect.fail(id)
  expect(boxes).toHaveLength(6)
  expect(box('any').y).toBeGreaterThan(box('list').y + box('list').height)
  expect(box('each').y).toBe(box('tell').y)
  expect(box('each').isFrame).toBe(true)
  for (const inner of [box('file'), box('check')]) {
    expect(inner.x).toBeGreaterThan(box('each').x)
    expect(inner.y + inner.height).toBeLessThan(box('each').y + box('each').height)
  }
  for (const { x, y, ...each } of boxes) {
    expect(x).toBeGreaterThanOrEqual(0)
    expect(x + each.width).toBeLessThanOrEqual(width)
    expect(y + each.height).toBeLessThanOrEqual(height)
  }
})

test('says of each edge why the later step waits', () => {
  const kinds = planLayout(steps).edges.map(({ from, to, kind }) => `${from} ${kind} ${to}`)
  expect(kinds.toSorted()).toEqual([
    'any no tell',
    'any yes each',
    'file after check',
    'list uses any',
    'list uses each',
  ])
})

test('draws steps that wait in a ring, and nothing twice', () => {
  const ring = PlanSteps.parse([
    { type: 'user_input', id: 'a', name: 'A', question: 'A?', dependsOn: ['b'] },
    { type: 'user_input', id: 'b', name: 'B', question: 'B?', dependsOn: ['a'] },
  ])
  expect(planLayout(ring).boxes.map(({ step }) => step.id)).toEqual(['a', 'b'])
})
