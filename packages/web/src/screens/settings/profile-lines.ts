/** Owns how a profile is written in a form: one fact, preference, interest or instruction to a line, and nothing where nothing was said. Pure. */
import type { Profile } from '@countersign/contract'

export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** The most entries of each list, and how long one may be. */
export const profileLists = {
  facts: { most: 50, longest: 300 },
  preferences: { most: 30, longest: 300 },
  interests: { most: 30, longest: 100 },
  instructions: { most: 30, longest: 500 },
} as const
export type ProfileList = keyof typeof profileLists

export function fitsList(list: ProfileList, text: string): boolean {
  const { most, longest } = profileLists[list]
  const lines = linesOf(text)
  return lines.length <= most && lines.every((line) => line.length <= longest)
}

export function withAnswers(
  { name: _name, communicationStyle: _style, preferences: _preferences, ...rest }: Profile,
  given: { readonly name: string; readonly style: string } & Readonly<Record<ProfileList, string>>,
): Profile {
  const name = given.name.trim()
  const style = given.style.trim()
  return {
    ...rest,
    ...(name === '' ? {} : { name }),
    ...(style === '' ? {} : { communicationStyle: style }),
    facts: linesOf(given.facts),
    interests: linesOf(given.interests),
    ...(linesOf(given.preferences).length === 0 ? {} : { preferences: linesOf(given.preferences) }),
    instructions: linesOf(given.instructions),
  }
}
