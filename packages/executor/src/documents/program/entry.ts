/** Owns what the programs for events and contacts have in common: the form of an entry, and of a wish to change it. */

export type EntryFields = { [name: string]: string | number | boolean }

export interface ReadEntries {
  readonly uid: string
  readonly shared: boolean
  readonly repeats: boolean
  readonly problem: string | null
  readonly common: EntryFields
  readonly entries: readonly {
    readonly recurrence: string
    readonly alike: boolean
    readonly fields: EntryFields
  }[]
}

export interface EntryWish {
  readonly uid: string
  readonly recurrence: string
  readonly remove: boolean
  readonly set: EntryFields
  readonly unset: readonly string[]
  readonly at: string
}

export interface ChangedEntry {
  readonly made: string
  /** It was so already. */
  readonly same: boolean
  readonly shared: boolean
}

/** Whether everything that is wished for is so. */
export function isAsWished(now: EntryFields | undefined, { set, unset, remove }: EntryWish): boolean {
  if (remove) return now === undefined
  if (now === undefined) return false
  return (
    Object.entries(set).every(([name, value]) => now[name] === value) &&
    unset.every((name) => now[name] === undefined)
  )
}

/** What goes into a file has no line ends of its own: the library writes a line end as two characters. */
export function written(value: string | number | boolean): string {
  return String(value)
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n')
    .replaceAll(/[^\P{Cc}\n\t]/gu, '')
}
