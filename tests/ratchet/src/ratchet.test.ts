import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { countJourneys } from './journeys.ts'
import { differences, parseTable, writeTable } from './table.ts'

/** The numbers do not depend on the machine's speed; the time that it takes does. */
const patienceMs = 240_000

const file = new URL('../table.txt', import.meta.url)

test(
  'no journey costs more than the table says, and none costs less unnoticed',
  async () => {
    const counted = await countJourneys()
    const table = parseTable(existsSync(file) ? readFileSync(file, 'utf8') : '')
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, writeTable(table, counted))
    else expect(differences(table, counted).join('\n')).toBe('')
  },
  patienceMs,
)
