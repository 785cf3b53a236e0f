/** Owns a task of which nothing is recorded yet, and who makes a call in it, for tests. */
import type { CallInTask, TaskSoFar } from '../task-so-far.ts'

/** In the operator's own conversation, while they are there, without a secret. */
export const ownCall = {
  requester: { kind: 'operator', id: 'desk' },
  unattended: false,
  firstHand: true,
  inReader: false,
  secrets: [],
  uses: [],
} as const satisfies Partial<CallInTask>

export const newTask: TaskSoFar = {
  made: new Map(),
  said: [],
  saidNow: [],
  chosen: new Set(),
  writes: 0,
  read: [],
  visited: new Set(),
  looks: 0,
  questions: 0,
  plan: null,
  asked: 0,
  wasInside: false,
}
