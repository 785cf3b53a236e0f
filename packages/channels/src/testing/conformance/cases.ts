/** Owns the one list of cases that every channel must pass, in their order. */
import type { Case } from './case.ts'
import { connection } from './connection.ts'
import { files } from './files.ts'
import { manifestCases } from './manifest.ts'
import { ownProcess } from './own-process.ts'
import { receiving } from './receiving.ts'
import { sending } from './sending.ts'
import { sendingHostile } from './sending-hostile.ts'
import { sendingTrouble } from './sending-trouble.ts'
import { taking } from './taking.ts'

export const groups: readonly (readonly [string, (test: Case) => void])[] = [
  ['about itself', manifestCases],
  ['receiving', receiving],
  ['handing over', taking],
  ['sending', sending],
  ['sending what is hostile', sendingHostile],
  ['sending when something goes wrong', sendingTrouble],
  ['files', files],
  ['its connection', connection],
  ['its process', ownProcess],
]

/** All cases, whoever runs them. */
export function registerCases(test: Case): void {
  for (const [, group] of groups) group(test)
}
