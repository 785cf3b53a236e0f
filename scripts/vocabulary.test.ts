import { expect, test } from 'vitest'
import { vocabularyProblems } from './vocabulary.ts'

const problemsOf = (files: Record<string, string>) =>
  vocabularyProblems({ sources: Object.entries(files).map(([path, text]) => ({ path, text })) })

test('a word that stands for something else is named with what to say, in files and in exports', () => {
  expect(problemsOf({ 'packages/kernel/src/desk.ts': 'export function openShelf() {}\n' })).toEqual([
    'packages/kernel/src/desk.ts is a file called desk.ts. Instead of desk say context, services.',
    'packages/kernel/src/desk.ts exports openShelf. Instead of shelf say catalogue, recipes.',
  ])
})

test('a word inside another word is another word', () => {
  expect(problemsOf({ 'packages/kernel/src/handle.ts': 'export const reminder = 1\n' })).toEqual([])
})

test('a type has a name of its own in its package; another package may have the same', () => {
  const text = 'export interface Answer {}\n'
  expect(problemsOf({ 'packages/cli/src/a.ts': text, 'packages/web/src/a.ts': text })).toEqual([])
  expect(problemsOf({ 'packages/cli/src/a.ts': text, 'packages/cli/src/b.ts': text })).toEqual([
    'Answer is exported by packages/cli/src/a.ts and packages/cli/src/b.ts. Give each a name of its own.',
  ])
})

test('a shape and its type share a file and a name, and tests and what is not exported are free', () => {
  const files = {
    'packages/contract/src/goal.ts':
      'export const Goal = z.object({})\nexport type Goal = z.infer<typeof Goal>\n',
    'packages/contract/src/goal.test.ts': 'export interface Goal {}\n',
    'packages/contract/src/step.ts': 'interface Goal {}\nconst desk = 1\n',
  }
  expect(problemsOf(files)).toEqual([])
})
