/** Every migration of the kernel, in order. Those of whoever keeps tables of their own come after them. */
import type { Migration } from '@countersign/database'
import { spine } from './0001-spine.ts'
import { records } from './0002-records.ts'
import { hands } from './0003-hands.ts'
import { voice } from './0004-voice.ts'
import { mind } from './0005-mind.ts'
import { face } from './0006-face.ts'
import { age } from './0007-age.ts'

export const migrations: readonly Migration[] = [spine, records, hands, voice, mind, face, age]
