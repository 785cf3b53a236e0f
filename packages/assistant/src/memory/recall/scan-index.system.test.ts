import { openRecallDatabase } from '../../../../../tests/recall/recall-database.ts'
import { createScanIndex } from './scan-index.ts'
import { vectorIndexContract } from './testing/vector-index-contract.ts'

vectorIndexContract('the scan', async () => {
  const database = await openRecallDatabase()
  return {
    newContext: () => database.newContext(),
    newIndex: () =>
      Promise.resolve(
        createScanIndex({
          rowsAtOnce: 7,
          onProblem: (problem) => {
            throw problem
          },
        }),
      ),
    close: database.close,
  }
})
