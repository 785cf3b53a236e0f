import { expect, it } from 'vitest'
import { chosenText } from './onboard-words.ts'

const modelThatSays = (text: string) =>
  chosenText({
    data: { chosen: { ref: 'acme/large', price: null, firstTokenMs: 12, totalMs: 34, usd: 0, text } },
  } as never)

it('tells what a tested model said on one line, and only the beginning of much', () => {
  expect(modelThatSays('Yes.\n\n- one\n- two\n')).toContain('Says   Yes. - one - two')
  const [, said = ''] = modelThatSays('word '.repeat(100)).split('Says   ')
  expect(said).toMatch(/^(?:word )+word…$/)
  expect(said.length).toBeLessThan(170)
})
