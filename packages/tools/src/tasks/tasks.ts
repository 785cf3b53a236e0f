/** Owns what a task is: something to do, with a state, a priority and perhaps a date. */
import { Task, timeOf } from '@countersign/contract'
import { defineCollection } from '../records/collection.ts'

export const tasks = defineCollection({
  name: 'tasks',
  singular: 'task',
  prefix: 'task',
  category: 'tasks',
  group: 'tasks',
  shape: Task,
  later: ['status'],
  title: 'title',
  columns: ['title', 'dueDate', 'priority', 'category', 'notes'],
  long: ['notes'],
  search: ['title', 'notes'],
  filters: {
    status: { field: 'status', how: 'equal' },
    priority: { field: 'priority', how: 'equal' },
    category: { field: 'category', how: 'equal' },
  },
  order: [{ field: 'dueDate', direction: 'up' }],
  settle({ completedAt, ...data }, now) {
    const due = typeof data['dueDate'] === 'string' ? timeOf(data['dueDate']) : undefined
    return {
      kind: 'data',
      data: {
        ...data,
        ...(due ? { dueDate: due.text } : {}),
        ...(data['status'] === 'completed' ? { completedAt: completedAt ?? now.toISOString() } : {}),
      },
    }
  },
})
