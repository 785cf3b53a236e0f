/** What is to be known of a document beside its text. */
export type OfficeNote = 'macros' | 'changes' | 'hidden' | 'faint' | 'unread'

/** What stands before words that are there and that a reader is not shown, or hardly. */
export const unseenMark = { hidden: '[hidden] ', faint: '[hard to see] ' } as const
