/** Owns how a profile is written in a form: one instruction to a line, and nothing where nothing was said. Pure. */
import type { Profile } from '@countersign/contract'

export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

export function withAnswers(
  { name: _name, communicationStyle: _style, ...rest }: Profile,
  given: { readonly name: string; readonly style: string; readonly instructions: string },
): Profile {
  const name = given.name.trim()
  const style = given.style.trim()
  return {
    ...rest,
    ...(name === '' ? {} : { name }),
    ...(style === '' ? {} : { communicationStyle: style }),
    instructions: linesOf(given.instructions),
  }
}
