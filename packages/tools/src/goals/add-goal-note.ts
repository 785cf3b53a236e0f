/** Writes a note down with a goal. */
import { entryTool } from './entry-tool.ts'

export const addGoalNote = entryTool({
  name: 'add_goal_note',
  description: 'Write a note down with a goal: what was done, decided or found.',
  tags: ['objective', 'journal', 'log', 'write down', 'result', 'decision'],
  list: 'notes',
  noun: 'note',
})
