/** Owns the fields of a Word document: their code is nothing that is read, but a link in it is told. */

export interface WordFields {
  /** At the beginning, in the middle, and at the end of one. Gives the address of a link where one ends. */
  mark(kind: string | undefined): string | undefined
  code(text: string): void
  /** What stands here is part of the code of a field. */
  isCode(): boolean
}

const longestCode = 4_000

export function createFields(): WordFields {
  const open: { code: string; inCode: boolean }[] = []
  return {
    mark(kind) {
      if (kind === 'begin') open.push({ code: '', inCode: true })
      const field = open.at(-1)
      if (kind === 'separate' && field) field.inCode = false
      return kind === 'end' ? linkIn(open.pop()?.code ?? '') : undefined
    },
    code(text) {
      const field = open.at(-1)
      if (field && field.code.length < longestCode) field.code += text
    },
    isCode: () => open.some(({ inCode }) => inCode),
  }
}

export function linkIn(code: string): string | undefined {
  return /^\s*HYPERLINK\s+"([^"]{1,2000})"/i.exec(code)?.[1]
}
