/**
 * Owns the plain words of a shell command, so that the programs and scripts it names can be shown and bound. It does
 * not understand the shell: whatever it cannot read it leaves out, and the command stays uninspectable.
 */

export interface CommandWords {
  /** The first word of each simple command. */
  readonly programs: readonly string[]
  /** Every other plain word, save what output is redirected to. */
  readonly operands: readonly string[]
}

/** The shell does these itself, so the program of that name on disk is not what runs. */
export const shellBuiltins = new Set(
  '. : [ alias bg break cd command continue declare dirs echo eval exec exit export false fg getopts hash jobs kill let local popd printf pushd pwd read readonly return set shift shopt source test times trap true type typeset ulimit umask unalias unset wait if then else elif fi for while until do done case esac in function select time { } ! [['.split(
    ' ',
  ),
)

const operator = /^(?:&&|\|\||>>|<<|[|;&()<>\n])/
const plainWord = /^[A-Za-z0-9_./+:@%,-]+$/
const assignment = /^[A-Za-z_][A-Za-z0-9_]*=/

export function commandWords(command: string): CommandWords {
  const programs = new Set<string>()
  const operands = new Set<string>()
  let first = true
  let redirected = false
  for (const token of shellTokens(command)) {
    if (operator.test(token)) {
      redirected = token.startsWith('>')
      if (!token.startsWith('<') && !redirected) first = true
      continue
    }
    if (redirected) {
      redirected = false
      continue
    }
    if (first && assignment.test(token)) continue
    if (plainWord.test(token)) (first ? programs : operands).add(token)
    first = false
  }
  return { programs: [...programs], operands: [...operands] }
}

/** Words and signs in their order, quotes around a whole word taken off. */
export function* shellTokens(command: string): Generator<string> {
  let rest = command
  while (rest !== '') {
    const gap = /^[ \t]+/.exec(rest)
    if (gap) {
      rest = rest.slice(gap[0].length)
      continue
    }
    const found =
      operator.exec(rest) ?? /^(?:'[^']*'|"(?:[^"\\]|\\[^])*"|\\[^]|[^\s|;&()<>'"\\]|['"\\])+/.exec(rest)
    const token = found?.[0] ?? rest[0] ?? ''
    yield unquoted(token)
    rest = rest.slice(token.length)
  }
}

/** Quotes around the whole of a word do not change which file it names. */
function unquoted(token: string): string {
  const whole = /^'([^']*)'$|^"([^"\\$`]*)"$/.exec(token)
  return whole ? (whole[1] ?? whole[2] ?? '') : token
}
