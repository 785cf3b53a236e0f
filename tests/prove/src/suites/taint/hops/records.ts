/** Words that are kept in the operator's records. */
import type { JsonObject } from '@countersign/contract'
import type { Hop } from '../hop.ts'

const hop = (
  name: string,
  put: (mark: string, words: string) => readonly (readonly [string, JsonObject])[],
  take: (mark: string) => readonly [string, JsonObject],
): Hop => ({
  name,
  kind: 'record',
  begins: 'anew',
  put: ({ mark, words }) => put(mark, words).map(([tool, args]) => [{ name: tool, args }]),
  take: ({ mark }) => {
    const [tool, args] = take(mark)
    return [[{ name: tool, args }]]
  },
})

export const recordHops: readonly Hop[] = [
  hop(
    'a note',
    (mark, words) => [['add_note', { title: `N ${mark}`, content: words }]],
    (mark) => ['list_notes', { search: mark }],
  ),
  hop(
    'several notes',
    (mark, words) => [
      [
        'batch_add_notes',
        {
          notes: [
            { title: `M ${mark}`, content: 'plain' },
            { title: `M ${mark}`, content: words },
          ],
        },
      ],
    ],
    (mark) => ['list_notes', { search: mark }],
  ),
  hop(
    'a task',
    (mark, words) => [['add_task', { title: `T ${mark}`, notes: words }]],
    (mark) => ['list_tasks', { search: mark }],
  ),
  hop(
    'a bookmark',
    (mark, words) => [
      ['add_bookmark', { url: `https://example.com/${mark}`, description: `${mark} ${words}` }],
    ],
    (mark) => ['list_bookmarks', { search: mark }],
  ),
  hop(
    'an event',
    (mark, words) => [
      ['add_calendar_event', { title: `E ${mark}`, startTime: '2027-03-01', description: words }],
    ],
    (mark) => ['list_calendar_events', { search: mark }],
  ),
  hop(
    'a contact',
    (mark, words) => [['add_contact', { name: `C ${mark}`, notes: words }]],
    (mark) => ['list_contacts', { search: mark }],
  ),
  hop(
    'an expense',
    (mark, words) => [
      [
        'add_expense',
        { amount: '1', currency: 'EUR', category: 'other', description: `X ${mark}`, notes: words },
      ],
    ],
    (mark) => ['query_expenses', { search: mark }],
  ),
  hop(
    'a row of a table',
    (mark, words) => [
      ['create_custom_table', { table: `t_${mark}`, columns: [{ name: 'said' }] }],
      ['add_custom_record', { table: `t_${mark}`, data: { said: words } }],
    ],
    (mark) => ['list_custom_records', { table: `t_${mark}` }],
  ),
  hop(
    'a search in a table',
    (mark, words) => [
      ['create_custom_table', { table: `s_${mark}`, columns: [{ name: 'said' }] }],
      ['add_custom_record', { table: `s_${mark}`, data: { said: words } }],
    ],
    (mark) => ['search_custom_records', { table: `s_${mark}`, query: 'word-' }],
  ),
  hop(
    'the description of a table',
    (mark, words) => [
      ['create_custom_table', { table: `d_${mark}`, description: words, columns: [{ name: 'said' }] }],
    ],
    (mark) => ['describe_custom_table', { table: `d_${mark}` }],
  ),
]
