import { expect, it } from 'vitest'
import { bookmarksTools } from '../bookmarks/index.ts'
import { calendarTools } from '../calendar/index.ts'
import { createCatalogue } from '../catalogue.ts'
import { contactsTools } from '../contacts/index.ts'
import { dataTools } from '../data/index.ts'
import { financeTools } from '../finance/index.ts'
import { notesTools } from '../notes/index.ts'
import { tasksTools } from '../tasks/index.ts'
import { createRecordToolRunner } from '../testing/record-tool-runner.ts'
import { useEveryRecordTool } from '../testing/records-contract.ts'
import { recordsTools } from './index.ts'

const offered = [
  ...tasksTools,
  ...bookmarksTools,
  ...notesTools,
  ...calendarTools,
  ...contactsTools,
  ...financeTools.filter(({ runs }) => runs === 'gateway'),
  ...dataTools,
]

it('does, undoes and does again with every tool for records', async () => {
  const used = await useEveryRecordTool([...offered, ...recordsTools], createRecordToolRunner())
  expect(used.toSorted()).toEqual(offered.map(({ name }) => name).toSorted())
  expect(used.length).toBe(45)
})

it('offers every tool but the one that restores', () => {
  const catalogue = createCatalogue([...offered, ...recordsTools])
  expect(catalogue.list().length).toBe(45)
  expect(catalogue.find('restore_records')?.hidden).toBe(true)
  for (const facts of catalogue.list()) {
    expect(facts.tags.length, facts.name).toBeGreaterThanOrEqual(4)
    expect(JSON.stringify(facts.schema).length, facts.name).toBeLessThan(1500)
  }
})
