/** Owns what can be wrong with the fields that accounts of every kind have. */
import { AccountName, SecretValue } from '@countersign/contract'
import { words } from '../../../words/accounts.ts'

export function nameProblem(name: string, taken: readonly string[]): string | undefined {
  if (taken.includes(name)) return words.nameTaken
  return AccountName.safeParse(name).success ? undefined : words.nameProblem
}

/** An account that has a password may keep it. */
export function passwordProblem(password: string, hasOne: boolean): string | undefined {
  if (password === '') return hasOne ? undefined : words.passwordNeeded
  return SecretValue.safeParse(password).success ? undefined : words.passwordProblem
}
