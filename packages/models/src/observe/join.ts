/** Owns that several may look at every call. One that fails is told of; the call and the others go on. */
import type { CallObserver } from './observer.ts'

export function joinObservers(
  observers: readonly CallObserver[],
  onProblem: (problem: unknown) => void,
): CallObserver {
  function each(tell: (observer: CallObserver) => void): void {
    for (const observer of observers) {
      try {
        tell(observer)
      } catch (problem) {
        onProblem(problem)
      }
    }
  }
  return {
    began: (call) => each((observer) => observer.began(call)),
    ended: (call, end) => each((observer) => observer.ended(call, end)),
  }
}
