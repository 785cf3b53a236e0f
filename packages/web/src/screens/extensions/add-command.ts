/** Owns the command that lets something in where a browser cannot give all that it needs. */

export const whats = ['address', 'package', 'plugin', 'skill', 'other'] as const

export type AddValues = {
  what: (typeof whats)[number]
  name: string
  address: string
  /** Empty for none. */
  secret: string
  package: string
  path: string
}

/** A name and an exact version. */
export const packageShape = /^(?:@[\w.-]+\/)?[\w.-]+@\d[\w.+-]*$/

/** What is not filled in yet stands as a word in capitals. */
export function addCommand(values: AddValues, quoted: (word: string) => string): string {
  const word = (value: string, empty: string) => (value.trim() === '' ? empty : quoted(value.trim()))
  const begin = `countersign extension add ${word(values.name, 'NAME')}`
  switch (values.what) {
    case 'address':
      return `${begin} --address ${word(values.address, 'URL')}${values.secret === '' ? '' : ` --secret ${quoted(values.secret)}`}`
    case 'package':
      return `${begin} --package ${word(values.package, 'PACKAGE@VERSION')}`
    case 'skill':
      return `${begin} --skill ${word(values.path, 'PATH')}`
    case 'plugin':
      return `${begin} --plugin ${word(values.path, 'PATH')}`
    case 'other':
      return 'countersign extension add --help'
  }
}
