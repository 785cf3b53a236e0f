import { expect, test } from 'vitest'
import { builtinTools } from './index.ts'

/** How many results there are at most, and how many where nothing is said. */
const limits: Readonly<Record<string, readonly [max: number, usual: number]>> = {
  list_tasks: [50, 20],
  list_notes: [50, 20],
  list_calendar_events: [50, 20],
  list_contacts: [50, 20],
  list_bookmarks: [50, 20],
  recall: [50, 10],
  list_memories: [50, 20],
  list_goals: [30, 10],
  get_next_actions: [20, 5],
  list_custom_records: [50, 20],
  search_custom_records: [50, 20],
  git_log: [50, 10],
  get_task_history: [50, 10],
  search_files: [100, 50],
  search_web: [20, 10],
}

test.each(Object.entries(limits))('%s gives at most %j', (name, [max, usual]) => {
  const tool = builtinTools.find((each) => each.name === name)
  expect(tool?.limit).toMatchObject({ max, default: usual })
})
