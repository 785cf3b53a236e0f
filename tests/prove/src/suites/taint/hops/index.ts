import type { Hop } from '../hop.ts'
import { conversationHops } from './conversations.ts'
import { customToolHops } from './custom-tools.ts'
import { fileHops } from './files.ts'
import { goalHops } from './goals.ts'
import { heldHops } from './held.ts'
import { helperHops } from './helpers.ts'
import { hiddenHops } from './hidden.ts'
import { memoryHops } from './memory.ts'
import { operatorHops } from './operator-acts.ts'
import { planHops } from './plans.ts'
import { programHops } from './programs.ts'
import { recordHops } from './records.ts'
import { scheduleHops } from './schedules.ts'

export const hops: readonly Hop[] = [
  ...conversationHops,
  ...fileHops,
  ...recordHops,
  ...customToolHops,
  ...memoryHops,
  ...goalHops,
  ...scheduleHops,
  ...helperHops,
  ...planHops,
  ...programHops,
  ...heldHops,
  ...hiddenHops,
  ...operatorHops,
]
