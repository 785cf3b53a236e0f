import { expect, it } from 'vitest'
import { parseSource } from './source.ts'
import { listedBy, type Reader } from './wishes.ts'

const [task] = parseSource('# Mon 08:00 A\n> Fly me to Turku on 9 May\n> And back\n- calculate 1+1', 'week')

function questions(text: string, { said = ['Fly me to Turku on 9 May.'], reader = 'hand' as Reader } = {}) {
  if (!task) throw new Error('there is no task')
  const asked = { ...task, questions: [{ task: task.id, said: 1, text }] }
  return listedBy(reader, { task: asked, messages: said.length, said, args: { question: text } }).questions
}

it.each(['Which airlines fly to Turku on 9 May?', 'What should one see in a small town?'])(
  'lists a question of which each name and number was said: %s',
  (text) => {
    expect(questions(text)).toEqual([text])
    expect(questions(text, { said: ['Fly me to Turku on 9 May.', 'And back'] })).toEqual([text])
  },
)

it.each([
  'Which airlines fly from Oslo to Turku?',
  'Which airlines fly to Turku on 10 May?',
  'What does turku.example say?',
])('lists none that needs more than the words: %s', (text) => {
  expect(questions(text)).toEqual([])
})

it('lists at worst whatever is asked, but no address that nobody said', () => {
  expect(questions('Which airlines fly from Oslo?', { reader: 'worst' })).toHaveLength(1)
  expect(questions('What does turku.example say?', { reader: 'worst' })).toEqual([])
})
