import { describe, expect, it } from 'vitest'
import { growthOf, mostGrowth } from '../../../../tests/harness/src/growth.ts'
import { commandWords } from './words.ts'

describe('the words of a command', () => {
  it.each([
    ['ls -l', ['ls'], ['-l']],
    ['A=1 python3 job.py', ['python3'], ['job.py']],
    ['cat "a.txt" | sort > out.txt', ['cat', 'sort'], ['a.txt']],
    ['cd x && ./run.sh; make', ['cd', './run.sh', 'make'], ['x']],
    ['sort < in.txt', ['sort'], ['in.txt']],
    ['$(danger) "$x" a$b', [], []],
    ["echo 'unclosed", ['echo'], []],
    ['a\nb', ['a', 'b'], []],
    ['', [], []],
  ])('of %j are %j and %j', (command, programs, operands) => {
    const words = commandWords(command)
    expect(words.programs.filter((word) => word !== 'danger')).toEqual(programs)
    expect(words.operands).toEqual(operands)
  })

  it.each(["'", '"', '\\', '$(', '|', 'a ', '"\\'])(
    'are found with work in proportion in a hostile text of %j',
    async (piece) => {
      const growth = await growthOf(8_192, (length) => piece.repeat(length / piece.length), commandWords)
      expect(growth).toBeLessThan(mostGrowth)
    },
  )
})
