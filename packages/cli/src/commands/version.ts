/** `countersign version`: the version of this program and of what it runs on. */
import type { Handler } from '../context.ts'
import { done } from '../output/answer.ts'
import { version as own } from '../version.ts'

export const version: Handler = () =>
  Promise.resolve(done({ version: own, node: process.versions.node }, own))
