/** The lab for many requests, one after the other, over the channel to its parent. For tests only. */
import { examine } from '../examine.ts'
import { TestRequest } from '../request.ts'

const answer = async (message: unknown) => {
  process.send?.(await examine(TestRequest.parse(message), () => undefined))
}

process.on('message', (message) => void answer(message))
process.on('disconnect', () => process.exit(0))
