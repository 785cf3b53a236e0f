/** Owns the row types of the tables that recall keeps. */
import type { OperatorId } from '@countersign/contract'
import type { Generated } from 'kysely'

export interface RecallTables {
  memory_index: {
    operator_id: OperatorId
    id: string
    no: Generated<number>
    status: string
    type: string
    goal: string | null
    tags: string[]
    importance: number
    pinned: boolean
    corrects: string[]
    created_at: Date
    told_at: Date
    used_at: string | null
    words: string
    revision: number
    model: string | null
    vector: Buffer | null
    claimed_until: Date | null
    changed: number
  }
  memory_words: { operator_id: OperatorId; word: string; no: number; weight: number }
  memory_removals: { operator_id: OperatorId; id: string; changed: number; at: Generated<Date> }
}
