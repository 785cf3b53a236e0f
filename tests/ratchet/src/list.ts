/** Prints what each journey does, in its order: `node tests/ratchet/src/list.ts [journey]`. */
import { countJourneys } from './journeys.ts'

const [, , wanted] = process.argv
for (const { name, counts, acts } of await countJourneys()) {
  if (wanted !== undefined && wanted !== name) continue
  const told = acts.flatMap(({ measure, text, by }) => {
    // A statement that begins a transaction is listed as both.
    if (measure === 'statements') return [`   ${text}`]
    if (measure === 'transactions') return ['transaction']
    return [`   ${measure} ${by}  ${text}`]
  })
  console.log([`\n${name}: ${JSON.stringify(counts)}`, ...told].join('\n'))
}
