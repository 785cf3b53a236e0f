import type { Adversary } from '../attack.ts'
import { combinationAttacks } from './combinations.ts'
import { deceitAttacks } from './deceit.ts'
import { inwardAttacks } from './inward.ts'
import { lastingAttacks } from './lasting.ts'
import { outwardAttacks } from './outward.ts'
import { unaskedAttacks } from './unasked.ts'

export const attacks: readonly Adversary[] = [
  ...outwardAttacks,
  ...inwardAttacks,
  ...deceitAttacks,
  ...lastingAttacks,
  ...unaskedAttacks,
  ...combinationAttacks,
]
