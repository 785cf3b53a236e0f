/** `countersign paths`: where everything is kept on this host. */
import type { Handler } from '../context.ts'
import { done } from '../output/answer.ts'
import { columns } from '../output/columns.ts'

export const paths: Handler = async (context) => {
  const found = await context.paths()
  return done({ paths: found }, columns(Object.entries(found)))
}
