import { expect, test } from 'vitest'
import { joinObservers } from './join.ts'
import type { CallObserver, ObservedCall, ObservedEnd } from './observer.ts'

test('An observer that fails is told of, and the others still hear.', () => {
  const heard: string[] = []
  const problems: unknown[] = []
  const failing: CallObserver = {
    began() {
      throw new Error('began')
    },
    ended() {
      throw new Error('ended')
    },
  }
  const hearing: CallObserver = { began: () => heard.push('began'), ended: () => heard.push('ended') }
  const joined = joinObservers([failing, hearing], (problem) => problems.push(problem))
  joined.began({} as ObservedCall)
  joined.ended({} as ObservedCall, {} as ObservedEnd)
  expect(heard).toEqual(['began', 'ended'])
  expect(problems).toEqual([new Error('began'), new Error('ended')])
})
