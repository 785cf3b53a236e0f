/** Owns what the model says while the jobs are done. */
import type { Script } from '@countersign/model-servers'
import { obedient } from '../scene.ts'

export const slowly = 'take your time'

export const jobScript: Script = (turn) => {
  if (turn.lastUser.startsWith(slowly)) return { text: 'slowly '.repeat(400), tokenDelayMs: 200 }
  if (turn.lastUser.includes('Why this file?')) return { text: 'Because you asked for it.' }
  if (turn.lastUser.startsWith('break')) return { status: 400, errorMessage: 'No such thing.' }
  return obedient(turn)
}
