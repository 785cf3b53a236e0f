/** Owns a task of which nothing is recorded yet, for tests. */
import type { TaskSoFar } from '../task-so-far.ts'

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
